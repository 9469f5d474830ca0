/** The checker finds what is wrong in small histories, and nothing where all is well. */
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

/** A contract that was created, changed, read, uploaded to, sent, signed and told of. */
const well = [
  { what: "created", contract: "c", key: "k" },
  { what: "writing", contract: "c", value: 1 },
  { what: "written", contract: "c", value: 1 },
  { what: "read", contract: "c", value: 1 },
  { what: "uploaded", contract: "c", version: "v", sha256: "a", key: "u" },
  { what: "sent", request: "r", contract: "c" },
  { what: "mailed", id: "m", to: "ann@signers.example", subject: "Please sign" },
  { what: "signed", request: "r" },
  delivered("contract.created", "c"),
  delivered("signature_request.sent", "r"),
  delivered("signature_request.completed", "r"),
] satisfies News[];

const end: Outcome = {
  contracts: [{ id: "c", key: "k", value: 1 }],
  versions: [{ id: "v", contract: "c", sha256: "a", holds: true }],
  requests: [{ id: "r", status: "COMPLETED", sealedVersions: 1 }],
  seqs: [1, 2, 3],
  problems: [],
  unfinished: [],
};

const found = (more: News[], outcome: Partial<Outcome> = {}) =>
  check(told(...well, ...more), { ...end, ...outcome }).map(({ kind, at }) => [kind, at]);

test("where nothing is wrong nothing is found, also when notices, mails and answers come again", () => {
  expect(found([])).toEqual([]);
  expect(found([well[0]!, well[6]!, well[8]!])).toEqual([]);
});

test("a write of which no one knows whether it took place may have, or not", () => {
  const writing: News = { what: "writing", contract: "c", value: 2 };
  const reads: News[] = [1, 2].map((value) => ({ what: "read", contract: "c", value }));
  expect(found([writing, ...reads], { contracts: [{ id: "c", key: "k", value: 2 }] })).toEqual([]);
  expect(found([writing, reads[0]!])).toEqual([]);
});

test("acknowledged writes that are gone, older or damaged are lost", () => {
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

test("a read of nothing, of less than was acknowledged or read before, or of what no one wrote is stale", () => {
  for (const value of [null, 0, 2]) {
    expect(found([{ what: "read", contract: "c", value }])).toEqual([["stale read", 12]]);
  }
  const reads: News[] = [2, 1].map((value) => ({ what: "read", contract: "c", value }));
  expect(found([{ what: "writing", contract: "c", value: 2 }, ...reads])).toEqual([["stale read", 14]]);
});

test("what took effect twice under one key, one event or one mail is a duplicate", () => {
  const two = [...end.contracts, { id: "d", key: "k", value: 0 }];
  expect(found([], { contracts: two })).toEqual([["duplicate effect", 1]]);
  const again: News[] = [
    { what: "uploaded", contract: "c", version: "w", sha256: "a", key: "u" },
    delivered("contract.created", "c", { id: "another", event: "another" }),
    delivered("contract.created", "c", { id: "another" }),
    delivered("contract.created", "c", { text: "other" }),
    { what: "mailed", id: "another", to: "ann@signers.example", subject: "Please sign" },
  ];
  const versions = [...end.versions, { id: "w", contract: "c", sha256: "a", holds: true }];
  for (const one of again) expect(found([one], { versions })).toEqual([["duplicate effect", 12]]);
  const requests = [{ ...end.requests[0]!, sealedVersions: 2 }];
  expect(found([], { requests })).toEqual([["duplicate effect", null]]);
});

test("what no webhook told is a lost notice, and so is what did not happen", () => {
  const silent = told(...well.slice(0, -1));
  expect(check(silent, end).map(({ kind, at }) => [kind, at])).toEqual([["lost notice", 8]]);
  const refused = delivered("signature_request.completed", "r", { accepted: false });
  expect(check(told(...well.slice(0, -1), refused), end).map(({ kind }) => kind)).toEqual(["lost notice"]);
  const phantom = delivered("contract.created", "x", { id: "x", event: "x" });
  expect(found([phantom])).toEqual([["lost notice", 12]]);
});

test("an answer that no one should get is found", () => {
  expect(found([{ what: "wronged", says: "500" }])).toEqual([["wrong answer", 12]]);
});

test("gaps, broken chains, requests that are not sealed and work that no one ends are found", () => {
  expect(found([], { seqs: [1, 3, 4] })).toEqual([["gap in the audit log", null]]);
  expect(found([], { seqs: [2] })).toEqual([["gap in the audit log", null]]);
  expect(found([], { problems: ["prev_hash"] })).toEqual([["broken chain", null]]);
  for (const requests of [[], [{ id: "r", status: "SEALING", sealedVersions: 0 }]]) {
    expect(found([], { requests })).toEqual([["stuck request", 8]]);
  }
  expect(found([], { unfinished: ["a delivery of a worker that is gone"] })).toEqual([
    ["unfinished work", null],
  ]);
});
