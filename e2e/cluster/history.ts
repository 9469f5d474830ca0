/** What clients, a receiver of webhooks and a mailbox were told, in its order. */
import { appendFileSync } from "node:fs";

/**
 * A contract's title carries the number of the value that its client gave it last: clients write one value after the
 * other, so a number that is read tells which writes it contains.
 */
export type Told = { at: number } & (
  | { what: "created"; contract: string; key: string }
  | { what: "writing"; contract: string; value: number }
  | { what: "written"; contract: string; value: number }
  /** Null: there was no such contract. */
  | { what: "read"; contract: string; value: number | null }
  | { what: "uploaded"; contract: string; version: string; sha256: string; key: string }
  | { what: "sent"; request: string; contract: string }
  /** By everyone. */
  | { what: "signed"; request: string }
  /** `accepted`: the receiver answered that it has it. */
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
  /** An answer that no one should get. */
  | { what: "wronged"; says: string }
);

/** One thing, without its time. */
export type News = Told extends infer One ? (One extends Told ? Omit<One, "at"> : never) : never;

export interface History {
  told: Told[];
  add(news: News): void;
}

/** Each line also goes to a file, where someone may look for what led to a finding. */
export function openHistory(path?: string): History {
  const told: Told[] = [];
  return {
    told,
    add(news) {
      const one = { ...news, at: Date.now() } as Told;
      told.push(one);
      if (path) appendFileSync(path, `${JSON.stringify(one)}\n`);
    },
  };
}

/** What there is when everything is over. */
export interface Outcome {
  contracts: { id: string; key: string; value: number }[];
  /** `holds`: the file is what its sha256 says. */
  versions: { id: string; contract: string; sha256: string; holds: boolean }[];
  requests: { id: string; status: string; sealedVersions: number }[];
  /** The numbers of the audit log, ascending. */
  seqs: number[];
  /** What verifying the audit log and the sealed documents finds wrong. */
  problems: string[];
  /** Work that is still waiting or in someone's name, each with its kind. */
  unfinished: string[];
}
