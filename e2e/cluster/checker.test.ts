/** The checker finds the errors in small histories, and none in a correct one. */
import { expect, test } from "@playwright/test";
import { check } from "./checker.ts";
import type { News, Outcome, Told } from "./history.ts";

const told = (...news: News[]): Told[] => news.map((one, at) => ({ ...one, at: at + 1 }) as Told);

const delivered = (type: string, subject: string, more: object = {}): News => ({
  ...{
    what: "delivered",
    type,
    subject,
    id: `msg-${type}`,
    event: `evt-${type}`,
    text: "{}",
    accepted: true,
  },
  ...more,
});

/** Reads that began one after another, once all of `well` was recorded. */
const reads = (...values: (number | null)[]): News[] =>
  values.map((value, index) => ({ what: "read", contract: "c", value, after: well.length + index }));

/** A contract that was created, changed, read, uploaded to, sent, signed and reported by a webhook and e-mails. */
const well = [
  { what: "created", contract: "c", key: "k" },
  { what: "writing", contract: "c", value: 1, write: "w" },
  { what: "written", contract: "c", value: 1, write: "w" },
  { what: "read", contract: "c", value: 1, after: 3 },
  { what: "uploaded", contract: "c", version: "v", sha256: "a" },
  { what: "sent", request: "r", contract: "c" },
  { what: "mailed", id: "m", to: "ann@signers.example", subject: "Please sign" },
  { what: "signed", request: "r", subject: "A", people: ["ann@signers.example"] },
  delivered("contract.created", "c"),
  delivered("signature_request.sent", "r"),
  { what: "mailed", id: "n", to: "ann@signers.example", subject: "Signed by everyone: A" },
  { what: "mailed", id: "o", to: "sender@x.example", subject: "Signed by everyone: A" },
  delivered("signature_request.completed", "r"),
] satisfies News[];

const end: Outcome = {
  contracts: [{ id: "c", key: "k", value: 1 }],
  versions: [{ id: "v", contract: "c", sha256: "a", holds: true }],
  requests: [{ id: "r", contract: "c", status: "COMPLETED", sealedVersions: 1 }],
  sender: "sender@x.example",
  seqs: [1, 2, 3],
  problems: [],
  unfinished: [],
};

const found = (more: News[], outcome: Partial<Outcome> = {}) =>
  check(told(...well, ...more), { ...end, ...outcome }).map(({ kind, at }) => [kind, at]);

test("a correct history yields no findings, even with repeated webhooks, e-mails and responses", () => {
  expect(found([])).toEqual([]);
  expect(found([well[0]!, well[6]!, well[8]!])).toEqual([]);
});

test("a write with an unknown outcome may or may not have taken effect", () => {
  const writing: News = { what: "writing", contract: "c", value: 2, write: "x" };
  expect(found([writing, ...reads(1, 2)], { contracts: [{ id: "c", key: "k", value: 2 }] })).toEqual([]);
  expect(found([writing, ...reads(1)])).toEqual([]);
});

test("acknowledged writes that are missing, reverted or damaged are lost writes", () => {
  expect(found([], { contracts: [{ id: "c", key: "k", value: 0 }] })).toEqual([["lost write", 3]]);
  const gone = found([], { contracts: [] });
  expect(gone.filter(([kind]) => kind === "lost write")).toEqual([
    ["lost write", 1],
    ["lost write", 3],
  ]);
  for (const versions of [
    [],
    [{ ...end.versions[0]!, holds: false }],
    [{ ...end.versions[0]!, sha256: "b" }],
  ]) {
    expect(found([], { versions })).toEqual([["lost write", 5]]);
  }
});

test("a read of nothing, of an outdated value or of a value that no one wrote is a stale read", () => {
  for (const value of [null, 0, 2]) {
    expect(found(reads(value))).toEqual([["stale read", 14]]);
  }
  const writing: News = { what: "writing", contract: "c", value: 2, write: "x" };
  expect(found([writing, ...reads(2, 1)])).toEqual([]);
  expect(found([writing, ...reads(2), writing, ...reads(1, 1, 1)])).toEqual([["stale read", 19]]);
});

test("two acknowledged writes with the same resulting value are a lost write", () => {
  const written: News = { what: "written", contract: "c", value: 1, write: "x" };
  expect(found([written])).toEqual([["lost write", 14]]);
  expect(found([{ ...written, write: "w" }])).toEqual([]);
});

test("a creation, event, e-mail, version, request or seal that happens twice is a duplicate effect", () => {
  const two = [...end.contracts, { id: "d", key: "k", value: 0 }];
  expect(found([], { contracts: two })).toEqual([["duplicate effect", 1]]);
  const again: News[] = [
    delivered("contract.created", "c", { id: "another", event: "another" }),
    delivered("contract.created", "c", { id: "another" }),
    delivered("contract.created", "c", { text: "other" }),
    { what: "mailed", id: "another", to: "ann@signers.example", subject: "Please sign" },
  ];
  for (const one of again) expect(found([one])).toEqual([["duplicate effect", 14]]);
  const created = { what: "created", contract: "d", key: "k" } satisfies News;
  const both = found([created, delivered("contract.created", "d", { id: "d", event: "d" })], {
    contracts: two,
  });
  expect(both).toEqual(Array(2).fill(["duplicate effect", 14]));
  const [version, request] = [end.versions[0]!, end.requests[0]!];
  for (const twice of [
    { versions: [version, { ...version, id: "w" }] },
    { requests: [request, { ...request, id: "s" }] },
    { requests: [{ ...request, sealedVersions: 2 }] },
  ])
    expect(found([], twice)).toEqual([["duplicate effect", null]]);
  const elsewhere = { id: "w", contract: "d", sha256: "a", holds: true };
  expect(found([], { versions: [version, elsewhere, { ...elsewhere, id: "x", sha256: "b" }] })).toEqual([]);
});

test("an event without a webhook and a webhook without an event are lost notices", () => {
  const silent = told(...well.slice(0, -1));
  expect(check(silent, end).map(({ kind, at }) => [kind, at])).toEqual([["lost notice", 8]]);
  const refused = delivered("signature_request.completed", "r", { accepted: false });
  expect(check(told(...well.slice(0, -1), refused), end).map(({ kind }) => kind)).toEqual(["lost notice"]);
  for (const type of ["contract.created", "signature_request.sent", "signature_request.completed"]) {
    const phantom = delivered(type, "x", { id: "x", event: "x" });
    expect(found([phantom])).toEqual([["lost notice", 14]]);
  }
  const requests = [{ ...end.requests[0]!, status: "SEALING" }];
  expect(found([], { requests })).toContainEqual(["lost notice", 13]);
});

test("a missing completion e-mail to a signer or the sender is a lost notice", () => {
  for (const lost of ["n", "o"]) {
    const others = well.filter((news) => news.what !== "mailed" || news.id !== lost);
    expect(check(told(...others), end).map(({ kind, at }) => [kind, at])).toEqual([["lost notice", 8]]);
  }
});

test("a wrong response is reported", () => {
  expect(found([{ what: "wronged", says: "500" }])).toEqual([["wrong answer", 14]]);
});

test("gaps, broken chains, unsealed requests and unfinished work are reported", () => {
  expect(found([], { seqs: [1, 3, 4] })).toEqual([["gap in the audit log", null]]);
  expect(found([], { seqs: [2] })).toEqual([["gap in the audit log", null]]);
  expect(found([], { problems: ["prev_hash"] })).toEqual([["broken chain", null]]);
  for (const requests of [[], [{ id: "r", contract: "c", status: "SEALING", sealedVersions: 0 }]]) {
    expect(found([], { requests }).filter(([kind]) => kind !== "lost notice")).toEqual([
      ["stuck request", 8],
    ]);
  }
  expect(found([], { unfinished: ["a delivery of a worker that is gone"] })).toEqual([
    ["unfinished work", null],
  ]);
});
