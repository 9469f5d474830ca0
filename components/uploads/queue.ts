"use client";
/**
 * Uploads files that become contracts, a few at a time. It continues while other pages are open, through lost
 * connections and expired sessions; a refused file stops no other.
 */
import { useSyncExternalStore } from "react";
import { documents, whyRejected } from "#components/accepted-files.ts";
import { titleFrom } from "#components/documents/words.ts";
import type { Door } from "#components/door.tsx";
import { problemOf } from "#components/problem.ts";
import type { ChosenFile } from "#components/ui/chosen-files.ts";
import { ApiProblem } from "#lib/doors/client.ts";
import type { Upload } from "#lib/uploads/schema.ts";

export type Transfer =
  | { kind: "waiting" }
  | { kind: "sending"; share: number }
  | { kind: "refused"; problem: ApiProblem };

/** A chosen file that was not added to the list. */
export interface RejectedFile {
  path: string;
  why: string;
}

export interface QueueState {
  /** Whether files are being added to the list. */
  isAdding: boolean;
  transfers: ReadonlyMap<string, Transfer>;
  /** The server's latest response for each file chosen here. */
  answers: ReadonlyMap<string, Upload>;
  rejected: readonly RejectedFile[];
}

const idle: QueueState = { isAdding: false, transfers: new Map(), answers: new Map(), rejected: [] };

/**
 * The number of files sent at a time. The server reads one document of a workspace at a time; others can be
 * sent meanwhile.
 */
const maxConcurrent = 3;

/** The maximum length of the list. */
export const maxFiles = 1_000;

/** Characters that names cannot contain, as in lib/core/wire.ts. */
const control = /[\p{Cc}\p{Zl}\p{Zp}]/gu;

class UploadQueue {
  #state = idle;
  #files = new Map<string, File>();
  #listeners = new Set<() => void>();
  #sending = 0;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): QueueState => this.#state;

  /** Adds files to the member's list, and sends those whose content the server does not have. */
  async add(chosen: ChosenFile[], door: Door): Promise<void> {
    this.#change({ isAdding: true });
    try {
      const judged = await Promise.all(
        chosen.map(async (one) => ({ ...one, why: await whyRejected(one.file, documents) })),
      );
      this.#addRejected(judged);
      const fit = judged.filter(({ why }) => why === null);
      if (fit.length === 0) return;
      const files = fit.map(({ path, file }) => ({ path: nameable(path), sizeBytes: file.size }));
      const { data } = await door.act("uploads.add", { files });
      this.#change({
        answers: new Map([...this.#state.answers, ...data.map((one) => [one.id, one] as const)]),
      });
      for (const [index, { id, state }] of data.entries()) {
        const isOnItsWay = this.#files.has(id) && this.#state.transfers.get(id)?.kind !== "refused";
        if (state !== "MISSING" || isOnItsWay) continue;
        this.#files.set(id, fit[index]!.file);
        this.#setTransfer(id, { kind: "waiting" });
      }
    } finally {
      this.#change({ isAdding: false });
    }
    this.#sendNext(door);
  }

  /** Retries a refused file. */
  retry(id: string, door: Door): void {
    this.#setTransfer(id, { kind: "waiting" });
    this.#sendNext(door);
  }

  /** Removes a file that should no longer be sent. */
  drop(id: string): void {
    this.#files.delete(id);
    this.#setTransfer(id, null);
  }

  dropAll(): void {
    this.#files.clear();
    this.#change({ transfers: new Map(), answers: new Map(), rejected: [] });
  }

  #sendNext(door: Door): void {
    for (const [id, { kind }] of this.#state.transfers) {
      if (this.#sending >= maxConcurrent) return;
      if (kind !== "waiting") continue;
      this.#sending++;
      this.#guardPage();
      this.#setTransfer(id, { kind: "sending", share: 0 });
      void this.#send(id, door).finally(() => {
        this.#sending--;
        this.#guardPage();
        this.#sendNext(door);
      });
    }
  }

  async #send(id: string, door: Door): Promise<void> {
    const file = this.#files.get(id)!;
    const transfer = async () => {
      // The file may have been moved since it was chosen. Browsers report that like a lost connection.
      const why = await whyRejected(file, documents);
      if (why !== null) throw new ApiProblem("validation_error", why);
      return door.upload("uploads.send", {
        file,
        data: { id, title: titleFrom(file.name) || "Untitled" },
        onProgress: (sent, total) => {
          if (this.#files.has(id))
            this.#setTransfer(id, { kind: "sending", share: total > 0 ? sent / total : 0 });
        },
      });
    };
    try {
      const { upload } = await retryRateLimited(() => door.connection?.sendWithRetry(transfer) ?? transfer());
      this.#change({ answers: new Map(this.#state.answers).set(id, upload) });
      this.drop(id);
    } catch (error) {
      // The list may have been cleared, or this file skipped, in the meantime.
      if (this.#files.has(id)) this.#setTransfer(id, { kind: "refused", problem: problemOf(error) });
    }
  }

  #setTransfer(id: string, transfer: Transfer | null): void {
    const transfers = new Map(this.#state.transfers);
    if (transfer) transfers.set(id, transfer);
    else transfers.delete(id);
    this.#change({ transfers });
  }

  /** Replaces the rejections of files that were chosen again: they may have been fixed. */
  #addRejected(judged: { path: string; why: string | null }[]): void {
    const paths = new Set(judged.map(({ path }) => path));
    const found = judged.flatMap(({ path, why }) => (why === null ? [] : [{ path, why }]));
    this.#change({ rejected: [...this.#state.rejected.filter(({ path }) => !paths.has(path)), ...found] });
  }

  /** Makes the browser ask for confirmation before the page is closed while files are being sent. */
  #guardPage(): void {
    if (this.#sending > 0) window.addEventListener("beforeunload", stay);
    else window.removeEventListener("beforeunload", stay);
  }

  #change(change: Partial<QueueState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

const stay = (event: BeforeUnloadEvent) => event.preventDefault();

const nameable = (path: string) =>
  path.replace(control, " ").slice(-1_000).toWellFormed().trim() || "Untitled";

/** Retries a request after the time that the server asks for: many small files may exceed the rate limit. */
async function retryRateLimited<T>(send: () => Promise<T>): Promise<T> {
  while (true) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ApiProblem) || error.code !== "rate_limited") throw error;
      await new Promise((done) => setTimeout(done, (error.retryAfterSeconds ?? 5) * 1_000));
    }
  }
}

export const uploadQueue = new UploadQueue();

export const useUploadQueue = (): QueueState =>
  useSyncExternalStore(uploadQueue.subscribe, uploadQueue.state, () => idle);

/** Returns the number of files that are waiting or being sent. */
export const sendingIn = ({ transfers }: QueueState): number =>
  [...transfers.values()].filter(({ kind }) => kind !== "refused").length;

/** Returns whether files are being added or sent. */
export const isSending = (state: QueueState): boolean => state.isAdding || sendingIn(state) > 0;
