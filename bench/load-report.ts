/** Formats how much load one machine handles: a column for one server, and one for two. */
import type { Figures } from "./site.ts";

/** The request mix at one rate. */
export interface Step {
  perSecond: number;
  requests: number;
  p50Ms: number;
  p99Ms: number;
  failed: number;
  holds: boolean;
  p99MsByKind: Figures;
  /** For each part of the site. */
  cpuMsPerRequest: Figures;
  /** Measured after the last response. */
  memoryMb: Figures;
  /** Jobs that were due and not done when the last response arrived. */
  jobsWaiting: number;
}

export interface Sealed {
  documents: number;
  seconds: number;
  cpuMsPerDocument: Figures;
}

export interface SiteRow {
  servers: 1 | 2;
  steps: Step[];
  sealed: Sealed;
  webhooksPerSecond: number;
}

const listed = (figures: Figures, digits: number) =>
  Object.entries(figures)
    .map(([name, value]) => `${name} ${value.toFixed(digits)}`)
    .join(", ");

export const stepLine = ({ perSecond, requests, p50Ms, p99Ms, failed, holds, jobsWaiting }: Step): string =>
  `${perSecond} requests/s: ${requests} sent, p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms, ${failed} failed, ` +
  `${jobsWaiting} jobs waiting: ${holds ? "holds" : "too much"}`;

export function tableOf(rows: SiteRow[]): string {
  return rows.map((row) => `${linesOf(row).join("\n")}\n`).join("\n");
}

function linesOf({ servers, steps, sealed, webhooksPerSecond }: SiteRow): string[] {
  const [best] = steps.filter(({ holds }) => holds).sort((a, b) => b.perSecond - a.perSecond);
  const line = (what: string, value: string) => `${what.padEnd(44)} ${value}`;
  const perMinute = (sealed.documents / sealed.seconds) * 60;
  return [
    servers === 1 ? "one server, one worker" : "two servers behind haproxy, one worker",
    ...(best
      ? [
          line("requests/s, 99 of 100 within 100 ms", String(best.perSecond)),
          line("p50, p99", `${best.p50Ms.toFixed(0)} ms, ${best.p99Ms.toFixed(0)} ms`),
          line("p99 ms by kind", listed(best.p99MsByKind, 0)),
          line("CPU ms for a request", listed(best.cpuMsPerRequest, 2)),
          line("memory, MB", listed(best.memoryMb, 0)),
          line("jobs that waited at the end", String(best.jobsWaiting)),
        ]
      : [line("requests/s, 99 of 100 within 100 ms", "none")]),
    line(
      "signed by two and sealed",
      `${sealed.documents} in ${sealed.seconds.toFixed(0)} s, ${perMinute.toFixed(0)} a minute`,
    ),
    line("CPU ms for each", listed(sealed.cpuMsPerDocument, 0)),
    line("webhooks/s", webhooksPerSecond.toFixed(0)),
  ];
}
