/** What clients, a receiver of webhooks and a mailbox were told, in its order. */
import { appendFileSync } from "node:fs";

/**
 * A contract's title carries the number of the value that it was given last, and by which write. Each write is made over
 * the value that was read before, so a number that is read tells which writes it contains.
 */
export type Told = { at: number } & (
  | { what: "created"; contract: string; key: string }
  | { what: "writing"; contract: string; value: number; write: string }
  | { what: "written"; contract: string; value: number; write: string }
  /** Null: there was no such contract. `after`: how much had been told when the read began. */
  | { what: "read"; contract: string; value: number | null; after: number }
  | { what: "uploaded"; contract: string; version: string; sha256: string }
  | { what: "sent"; request: string; contract: string }
  /** By everyone, who are the addresses of `people`. */
  | { what: "signed"; request: string; subject: string; people: string[] }
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
  /** Of now, or of another time that is known. */
  add(news: News, at?: number): void;
}

/** Each line also goes to a file, where someone may look for what led to a finding. */
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

/** What there is when everything is over. */
export interface Outcome {
  contracts: { id: string; key: string; value: number }[];
  /** `holds`: the file is what its sha256 says. */
  versions: { id: string; contract: string; sha256: string; holds: boolean }[];
  requests: { id: string; contract: string; status: string; sealedVersions: number }[];
  /** The address of the member who sends the requests. */
  sender: string;
  /** The numbers of the audit log, ascending. */
  seqs: number[];
  /** What verifying the audit log and the sealed documents finds wrong. */
  problems: string[];
  /** Work that is still waiting or in someone's name, each with its kind. */
  unfinished: string[];
}
