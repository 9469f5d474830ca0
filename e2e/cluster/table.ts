/** Formats a run's results: for each fault its count, what was lost, what happened twice, and the longest recovery. */
import type { Finding } from "./checker.ts";
import type { Broken } from "./faults.ts";
import type { Judged } from "./round.ts";

/** Attributes a finding to the latest fault that had begun when the fact in question was recorded. */
function blamed({ at }: Finding, broken: Broken[]): string | undefined {
  return at === null ? undefined : broken.findLast((one) => one.at <= at)?.fault;
}

const lost: Finding["kind"][] = ["lost write", "lost notice", "stale read"];

export function tableOf(rounds: Judged[]): string {
  const rows = new Map<string, { times: number; lost: number; twice: number; longest: number }>();
  for (const { broken, findings } of rounds) {
    for (const { fault, recoveryMs } of broken) {
      const row = rows.get(fault) ?? { times: 0, lost: 0, twice: 0, longest: 0 };
      rows.set(fault, { ...row, times: row.times + 1, longest: Math.max(row.longest, recoveryMs) });
    }
    for (const finding of findings) {
      const row = rows.get(blamed(finding, broken) ?? "");
      if (!row) continue;
      if (lost.includes(finding.kind)) row.lost += 1;
      if (finding.kind === "duplicate effect") row.twice += 1;
    }
  }
  const lines = [...rows]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(
      ([fault, { times, lost, twice, longest }]) =>
        `| ${fault} | ${times} | ${lost} | ${twice} | ${(longest / 1000).toFixed(1)} s |`,
    );
  return ["| fault | times | lost | duplicate | longest recovery |", "|---|---|---|---|---|", ...lines].join(
    "\n",
  );
}
