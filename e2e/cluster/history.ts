/** What clients, a webhook receiver and a mailbox were told, in order. */
import { appendFileSync } from "node:fs";

/**
 * A contract's title carries the number of its latest value, and of the write that set it. Each write builds on the
 * value read before, so a number that is read tells which writes it includes.
 */
export type Told = { at: number } & (
  | { what: "created"; contract: string; key: string }
  | { what: "writing"; contract: string; value: number; write: string }
  | { what: "written"; contract: string; value: number; write: string }
  /** A null value: there was no such contract. `after`: the length of the history when the read began. */
  | { what: "read"; contract: string; value: number | null; after: number }
  | { what: "uploaded"; contract: string; version: string; sha256: string }
  | { what: "sent"; request: string; contract: string }
  /** By everyone; `people` are their addresses. */
  | { what: "signed"; request: string; subject: string; people: string[] }
  /** `accepted`: the receiver confirmed the delivery. */
  | {
      what: "delivered";
      id: string;
      event: string;
      type: string;
      subject: string;
      text: string;
      accepted: boolean;
    }
  | { what: "mailed"; id: string; to: string; subject: string }
  /** A response or failure that should not occur. */
  | { what: "wronged"; says: string }
);

/** One fact, without its time. */
export type News = Told extends infer One ? (One extends Told ? Omit<One, "at"> : never) : never;

export interface History {
  told: Told[];
  /** Adds a fact with the current time, or with another known time. */
  add(news: News, at?: number): void;
}

/** Each fact is also appended to a file, where one can look for what led to a finding. */
export function openHistory(path?: string): History {
  const told: Told[] = [];
  return {
    told,
    add(news, at = Date.now()) {
      const one = { ...news, at } as Told;
      told.push(one);
      if (path) appendFileSync(path, `${JSON.stringify(one)}\n`);
    },
  };
}

/** What exists at the end. */
export interface Outcome {
  contracts: { id: string; key: string; value: number }[];
  /** `holds`: the file matches its sha256. */
  versions: { id: string; contract: string; sha256: string; holds: boolean }[];
  requests: { id: string; contract: string; status: string; sealedVersions: number }[];
  /** The address of the member who sends the requests. */
  sender: string;
  /** The sequence numbers of the audit log, ascending. */
  seqs: number[];
  /** The problems found by verifying the audit log and the sealed documents. */
  problems: string[];
  /** Work that still waits or is claimed, each with its kind. */
  unfinished: string[];
}
