/** The everyday mix of requests: reads of the API, members' pages, writes, uploads. */
import { randomUUID } from "node:crypto";
import { form } from "#e2e/documents.ts";
import { randomNumbers } from "#e2e/random.ts";
import { contractPdf } from "#e2e/sealing.ts";
import type { Asked } from "./open-loop.ts";
import { newContract } from "./operations.ts";
import type { Site } from "./site.ts";

/** Out of a hundred requests. */
export type Shares = Record<"read" | "page" | "write" | "upload", number>;

/** The everyday use of a workspace. */
const everyday: Shares = { read: 70, page: 20, write: 8, upload: 2 };

/** Each with its weight among the reads. */
const reads: [number, (any: Any) => string][] = [
  [30, ({ contract }) => `/contracts/${contract()}`],
  [12, ({ number }) => `/contracts?page=${1 + number(20)}`],
  [6, ({ of }) => `/contracts?status=${of(["ACTIVE", "DRAFT", "IN_REVIEW"])}&sort=expiresAt`],
  [3, ({ of }) => `/contracts?q=${of(["harbor", "lease", "pilot", "granite"])}`],
  [7, ({ number }) => `/obligations?page=${1 + number(20)}`],
  [4, ({ contract }) => `/contracts/${contract()}/obligations`],
  [5, ({ counterparty }) => `/counterparties/${counterparty()}`],
  [3, () => "/audit-events?limit=50"],
];

const pages: ((any: Any) => string)[] = [
  () => "/home",
  () => "/contracts",
  () => "/obligations",
  () => "/signatures",
  () => "/inbox",
  ...Array(5).fill(({ contract }: Any) => `/contracts/${contract()}`),
];

interface Any {
  of<One>(list: readonly One[]): One;
  /** A number from 0 up to, but not including, this. */
  number(below: number): number;
  contract(): string;
  counterparty(): string;
}

export type Kind = keyof Shares;
export const kinds = Object.keys(everyday) as Kind[];

/** Returns a function that gives a different request each time; the sequence is the same in every run. */
export async function mixOf(
  { url, workspace, cookie, drafts }: Site,
  shares: Shares = everyday,
): Promise<() => Asked> {
  const random = randomNumbers("the mix");
  const number = (below: number) => Math.floor(random() * below);
  const of = <One>(list: readonly One[]) => list[number(list.length)]!;
  const { contractIds, counterpartyIds } = workspace;
  const any: Any = { of, number, contract: () => of(contractIds), counterparty: () => of(counterpartyIds) };
  const pdf = Buffer.from(await contractPdf(5));
  const { host } = new URL(url);
  const own = { host, "user-agent": "bench" };
  const withKey = { ...own, "x-api-key": workspace.key };
  const json = { ...withKey, "content-type": "application/json" };
  const read = weighted(reads, random);

  const write = (): Asked => {
    const headers = { ...json, "idempotency-key": randomUUID() };
    const what = random();
    const made = { kind: "write", method: "POST", headers, status: 201 } as const;
    if (what < 0.4)
      return { ...made, path: "/api/v1/contracts", body: JSON.stringify(newContract(workspace)) };
    const title = `Quarterly report ${number(1e6)}`;
    if (what < 0.6) {
      const due = { kind: "REPORTING", anchorType: "FIXED_DATE", fixedDate: "2031-03-31" };
      const body = JSON.stringify({ ...due, contractId: of(drafts), title });
      return { ...made, path: "/api/v1/obligations", body };
    }
    const body = JSON.stringify({ title: `Amended agreement ${number(1e6)}` });
    return { ...made, method: "PATCH", path: `/api/v1/contracts/${any.contract()}`, body, status: 200 };
  };
  const upload = (): Asked => {
    // Bytes after the end of a PDF make it a different file.
    const bytes = Buffer.concat([pdf, Buffer.from(`% ${randomUUID()}\n`)]);
    const { raw, headers } = form({ fileName: "agreement.pdf", contentType: "application/pdf", bytes });
    const path = `/api/v1/contracts/${of(drafts)}/versions`;
    const all = { ...withKey, ...headers, "idempotency-key": randomUUID() };
    return { kind: "upload", method: "POST", path, headers: all, body: raw, status: 201 };
  };
  const get = { method: "GET", status: 200 } as const;
  const makers: Record<Kind, () => Asked> = {
    read: () => ({ ...get, kind: "read", path: `/api/v1${read()(any)}`, headers: withKey }),
    page: () => ({
      ...get,
      kind: "page",
      path: of(pages)(any),
      headers: { ...own, cookie, accept: "text/html" },
    }),
    write,
    upload,
  };
  const kind = weighted(
    kinds.map((name) => [shares[name], name]),
    random,
  );
  return () => makers[kind()]();
}

/** Returns a function that picks at random, in proportion to the weights. */
function weighted<One>(list: [number, One][], random: () => number): () => One {
  const all = list.flatMap(([weight, one]) => Array<One>(weight).fill(one));
  return () => all[Math.floor(random() * all.length)]!;
}
