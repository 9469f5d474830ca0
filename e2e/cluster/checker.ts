/** Compares what everyone was told with what exists at the end. */
import type { Outcome, Told } from "./history.ts";

export const kinds = [
  "lost write",
  "stale read",
  "duplicate effect",
  "lost notice",
  "wrong answer",
  "gap in the audit log",
  "broken chain",
  "stuck request",
  "unfinished work",
] as const;

export interface Finding {
  kind: (typeof kinds)[number];
  says: string;
  /** When the fact in question was recorded. */
  at: number | null;
}

type Of<What extends Told["what"]> = Extract<Told, { what: What }>;

export function check(told: readonly Told[], outcome: Outcome): Finding[] {
  return [
    ...lostWrites(told, outcome),
    ...staleReads(told),
    ...duplicates(told, outcome),
    ...lostNotices(told, outcome),
    ...lostMails(told, outcome),
    ...only(told, "wronged").map(({ says, at }): Finding => ({ kind: "wrong answer", says, at })),
    ...gaps(outcome),
    ...outcome.problems.map((says): Finding => ({ kind: "broken chain", says, at: null })),
    ...stuckRequests(told, outcome),
    ...outcome.unfinished.map((says): Finding => ({ kind: "unfinished work", says, at: null })),
  ];
}

function only<What extends Told["what"]>(told: readonly Told[], what: What): Of<What>[] {
  return told.filter((one): one is Of<What> => one.what === what);
}

/** Finds what was acknowledged but is missing, or is older than acknowledged. */
function lostWrites(told: readonly Told[], { contracts, versions }: Outcome): Finding[] {
  const values = new Map(contracts.map(({ id, value }) => [id, value]));
  const files = new Map(versions.map((version) => [version.id, version]));
  const lost = (says: string, at: number | null): Finding => ({ kind: "lost write", says, at });
  const written = only(told, "written").filter(({ contract, value }) => (values.get(contract) ?? 0) < value);
  return [
    ...only(told, "created")
      .filter(({ contract }) => !values.has(contract))
      .map(({ contract, at }) => lost(`Contract ${contract} was acknowledged and is gone.`, at)),
    ...written.map(({ contract, value, at }) =>
      lost(`Value ${value} of ${contract} was acknowledged; it has ${values.get(contract)}.`, at),
    ),
    ...repeated(
      only(told, "written"),
      ({ contract, value }) => `${value} of ${contract}`,
      ({ write }) => write,
    ).map(([name, writes, at]) => lost(`Value ${name} was acknowledged to ${writes.length} writes.`, at)),
    ...only(told, "uploaded")
      .filter(({ version, sha256 }) => !files.get(version)?.holds || files.get(version)?.sha256 !== sha256)
      .map(({ version, at }) => lost(`Version ${version} was acknowledged and is gone, or another.`, at)),
  ];
}

/** Finds reads of a value older than one known when they began, or of a value that no one had written yet. */
function staleReads(told: readonly Told[]): Finding[] {
  const known = new Map<string, { value: number; place: number }[]>();
  const attempted = new Map<string, number>();
  const findings: Finding[] = [];
  const learn = (contract: string, value: number, place: number) => {
    const values = known.get(contract) ?? [];
    known.set(contract, values);
    values.push({ value, place });
  };
  for (const [place, one] of told.entries()) {
    if (one.what === "created") learn(one.contract, 0, place);
    if (one.what === "writing")
      attempted.set(one.contract, Math.max(one.value, attempted.get(one.contract) ?? 0));
    if (one.what === "written") learn(one.contract, one.value, place);
    if (one.what !== "read") continue;
    const { contract, value, after, at } = one;
    const before = (known.get(contract) ?? []).filter((known) => known.place < after);
    if (before.length === 0) continue;
    const least = Math.max(...before.map((known) => known.value));
    if (value === null || value < least || value > (attempted.get(contract) ?? 0)) {
      const says = `${contract} was read with ${value ?? "nothing"} after ${least} was known.`;
      findings.push({ kind: "stale read", says, at });
    } else learn(contract, value, place);
  }
  return findings;
}

/**
 * Finds what took place twice: creations with one key; uploads of the same bytes and requests for one contract, each of
 * which clients here make only once; events with two ids, e-mails with two ids.
 */
function duplicates(told: readonly Told[], { contracts, versions, requests }: Outcome): Finding[] {
  const twice = (says: string, at: number | null): Finding => ({ kind: "duplicate effect", says, at });
  const creations = new Map(only(told, "created").map(({ key, at }) => [key, at]));
  const delivered = only(told, "delivered");
  return [
    ...repeated(
      contracts,
      ({ key }) => key,
      ({ id }) => id,
    ).map(([key, ids]) =>
      twice(`The creation ${key} made ${ids.join(" and ")}.`, creations.get(key) ?? null),
    ),
    ...repeated(
      only(told, "created"),
      ({ key }) => key,
      ({ contract }) => contract,
    ).map(([key, ids, at]) => twice(`The creation ${key} was answered with ${ids.join(" and ")}.`, at)),
    ...repeated(
      versions,
      ({ contract, sha256 }) => `${sha256} to ${contract}`,
      ({ id }) => id,
    ).map(([name, ids]) => twice(`The upload of ${name} made ${ids.join(" and ")}.`, null)),
    ...repeated(
      requests,
      ({ contract }) => contract,
      ({ id }) => id,
    ).map(([contract, ids]) => twice(`The request for ${contract} made ${ids.join(" and ")}.`, null)),
    ...repeated(
      delivered.filter(({ type }) => once.has(type)),
      ({ type, subject }) => `${type} of ${subject}`,
      ({ event }) => event,
    ).map(([name, ids, at]) => twice(`${name} is told by the events ${ids.join(" and ")}.`, at)),
    ...repeated(
      delivered,
      ({ event }) => event,
      ({ id }) => id,
    ).map(([event, ids, at]) => twice(`The event ${event} was delivered as ${ids.join(" and ")}.`, at)),
    ...repeated(
      delivered,
      ({ id }) => id,
      ({ text }) => text,
    ).map(([id, , at]) => twice(`The delivery ${id} came with two bodies.`, at)),
    ...repeated(
      only(told, "mailed"),
      ({ to, subject }) => `${subject} to ${to}`,
      ({ id }) => id,
    ).map(([name, ids, at]) => twice(`The mail ${name} was sent as ${ids.join(" and ")}.`, at)),
    ...requests
      .filter(({ sealedVersions }) => sealedVersions > 1)
      .map(({ id, sealedVersions }) => twice(`${id} has ${sealedVersions} sealed versions.`, null)),
  ];
}

/** Events that occur only once for a contract or a request. */
const once = new Set(["contract.created", "signature_request.sent", "signature_request.completed"]);

/** Returns names that stand for two different things, with those things and when the last of them was recorded. */
function repeated<One extends object>(
  all: readonly One[],
  nameOf: (one: One) => string,
  thingOf: (one: One) => string,
): [name: string, things: string[], at: number | null][] {
  return [...Map.groupBy(all, nameOf)].flatMap(([name, same]) => {
    const things = [...new Set(same.map(thingOf))];
    const { at = null } = same.at(-1) as { at?: number };
    return things.length > 1 ? [[name, things, at] as [string, string[], number | null]] : [];
  });
}

/** Finds what happened without a webhook, and webhooks for what did not happen. */
function lostNotices(told: readonly Told[], { contracts, requests }: Outcome): Finding[] {
  const accepted = only(told, "delivered").filter((one) => one.accepted);
  const heard = new Set(accepted.map(({ type, subject }) => `${type} ${subject}`));
  const happened = new Set([
    ...contracts.map(({ id }) => `contract.created ${id}`),
    ...requests.map(({ id }) => `signature_request.sent ${id}`),
    ...completed(requests).map(({ id }) => `signature_request.completed ${id}`),
  ]);
  const expected = [
    ...only(told, "created").map(({ contract, at }) => ({ name: `contract.created ${contract}`, at })),
    ...only(told, "sent").map(({ request, at }) => ({ name: `signature_request.sent ${request}`, at })),
    ...only(told, "signed").map(({ request, at }) => ({
      name: `signature_request.completed ${request}`,
      at,
    })),
  ];
  const phantoms = only(told, "delivered").filter(
    ({ type, subject }) => once.has(type) && !happened.has(`${type} ${subject}`),
  );
  return [
    ...expected
      .filter(({ name }) => !heard.has(name))
      .map(({ name, at }): Finding => ({ kind: "lost notice", says: `${name} came by no webhook.`, at })),
    ...phantoms.map(({ type, subject, at }): Finding => {
      return { kind: "lost notice", says: `A webhook told of ${type} ${subject}, which is not so.`, at };
    }),
  ];
}

const completed = (requests: Outcome["requests"]) => requests.filter(({ status }) => status === "COMPLETED");

/** Once a document is sealed, everyone who signed it and the sender must get an e-mail about it. */
function lostMails(told: readonly Told[], { requests, sender }: Outcome): Finding[] {
  const mailed = new Set(only(told, "mailed").map(({ to, subject }) => `${subject} to ${to}`));
  const sealed = new Set(completed(requests).map(({ id }) => id));
  return only(told, "signed")
    .filter(({ request }) => sealed.has(request))
    .flatMap(({ subject, people, at }) =>
      [...people, sender].map((to) => ({ name: `Signed by everyone: ${subject} to ${to}`, at })),
    )
    .filter(({ name }) => !mailed.has(name))
    .map(({ name, at }): Finding => ({ kind: "lost notice", says: `The mail ${name} did not come.`, at }));
}

function gaps({ seqs }: Outcome): Finding[] {
  return seqs.flatMap((seq, index): Finding[] => {
    const before = seqs[index - 1] ?? 0;
    if (seq === before + 1) return [];
    return [{ kind: "gap in the audit log", says: `${seq} follows ${before}.`, at: null }];
  });
}

/** Finds requests that everyone has signed but that were not sealed. */
function stuckRequests(told: readonly Told[], { requests }: Outcome): Finding[] {
  const states = new Map(requests.map((request) => [request.id, request]));
  return only(told, "signed").flatMap(({ request, at }): Finding[] => {
    const { status = "gone", sealedVersions = 0 } = states.get(request) ?? {};
    if (status === "COMPLETED" && sealedVersions > 0) return [];
    const says = `${request} is ${status} with ${sealedVersions} sealed versions, and everyone has signed.`;
    return [{ kind: "stuck request", says, at }];
  });
}
