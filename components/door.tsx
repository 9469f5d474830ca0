"use client";
/**
 * A page's access to the members' API, for the person and workspace that the page was opened for. It recovers
 * from lost connections, and from an expired session once the person has signed in again over the page.
 */
import { createContext, type ReactNode, useContext, useMemo, useState } from "react";
import {
  ApiProblem,
  call,
  download,
  type InputOf,
  newKey,
  type OperationName,
  type OutputOf,
  type PageOf,
  type Upload,
  upload,
} from "#lib/doors/client.ts";
import { type Connection, useNewConnection } from "./connection.ts";
import { ConnectionNotice } from "./connection-notice.tsx";
import { lazily } from "./ui/lazily.tsx";

const SignInAgain = lazily(() => import("./sign-in-again.tsx").then((module) => module.SignInAgain));

interface ActingOptions {
  /** The idempotency key, for a request that may be repeated; by default a new one. */
  key?: string;
  /** Whether the page already shows the result, so that the next action waits for the response. */
  isShown?: boolean;
}

export interface Door {
  /** Reads data. If the session has ended, waits until the person has signed in again. */
  read<Name extends OperationName>(
    name: Name,
    input: InputOf<Name>,
    signal?: AbortSignal,
  ): Promise<OutputOf<Name>>;
  /**
   * Reads what the next action depends on. Like an action, the read is queued until the connection is back.
   */
  ask<Name extends OperationName>(name: Name, input: InputOf<Name>): Promise<OutputOf<Name>>;
  /** Runs an operation exactly once, however often the connection is lost in the meantime. */
  act<Name extends OperationName>(
    name: Name,
    input: InputOf<Name>,
    options?: ActingOptions,
  ): Promise<OutputOf<Name>>;
  /** Uploads a file. If the connection is lost, the caller sends it again, with the same key. */
  upload<Name extends OperationName>(name: Name, sending: Upload<Name>): Promise<OutputOf<Name>>;
  /** Downloads a file, such as an export. If the session has ended, waits until the person has signed in again. */
  download(path: string): Promise<Response>;
  connection: Connection | null;
}

const plain: Door = {
  read: (name, input, signal) => call(name, input, signal ? { signal } : {}),
  ask: (name, input) => call(name, input),
  act: (name, input, { key = newKey() } = {}) => call(name, input, { key }),
  upload,
  download,
  connection: null,
};

const DoorContext = createContext<Door>(plain);

export const useDoor = () => useContext(DoorContext);

const whileInProgressMs = 300;

/** An expired session, and the requests that wait until the person has signed in again. */
class ExpiredSession {
  #back: PromiseWithResolvers<void> | null = null;
  readonly #onChange: (what: "signed out" | "back") => void;

  constructor(onChange: (what: "signed out" | "back") => void) {
    this.#onChange = onChange;
  }

  async wait(): Promise<void> {
    if (!this.#back) {
      this.#back = Promise.withResolvers();
      this.#onChange("signed out");
    }
    return this.#back.promise;
  }

  end(refusal?: Error): void {
    const back = this.#back;
    this.#back = null;
    this.#onChange("back");
    if (refusal) back?.reject(refusal);
    else back?.resolve();
  }
}

export function DoorProvider({ pageOf, children }: { pageOf: PageOf; children: ReactNode }) {
  const connection = useNewConnection();
  const [trouble, setTrouble] = useState<"signed out" | "session changed" | null>(null);
  const [absence] = useState(
    () => new ExpiredSession((what) => setTrouble(what === "signed out" ? "signed out" : null)),
  );
  const { userId, organizationId } = pageOf;
  const door = useMemo(() => {
    const from = { userId, organizationId };
    /** Runs `send` as the page's person, who may have to sign in again first. */
    const whenSignedIn = async <T,>(send: () => Promise<T>): Promise<T> => {
      while (true) {
        try {
          return await send();
        } catch (error) {
          const code = error instanceof ApiProblem ? error.code : null;
          if (code === "session_changed") setTrouble("session changed");
          if (code === "no_workspace") window.location.assign("/workspaces");
          if (code === "idempotency_in_progress") await sleep(whileInProgressMs);
          else if (code === "signed_out") await absence.wait();
          else throw error;
        }
      }
    };
    return {
      read: (name, input, signal) =>
        whenSignedIn(() =>
          connection.trackRead(call(name, input, { pageOf: from, ...(signal ? { signal } : {}) })),
        ),
      ask: (name, input) =>
        whenSignedIn(() => connection.sendWithRetry(() => call(name, input, { pageOf: from }))),
      act: (name, input, { key = newKey(), isShown = false } = {}) =>
        whenSignedIn(() =>
          connection.sendWithRetry(() => call(name, input, { pageOf: from, key }), { isShown }),
        ),
      upload: (name, sending) => whenSignedIn(() => upload(name, { ...sending, pageOf: from })),
      download: (path) => whenSignedIn(() => connection.trackRead(download(path, { pageOf: from }))),
      connection,
    } satisfies Door;
  }, [absence, connection, userId, organizationId]);
  return (
    <DoorContext value={door}>
      {children}
      <ConnectionNotice connection={connection} />
      {trouble && (
        <SignInAgain
          pageOf={pageOf}
          isSomebodyElse={trouble === "session changed"}
          onBack={() => absence.end()}
          onSomebodyElse={() => {
            absence.end(notSent());
            setTrouble("session changed");
          }}
          onClose={() => absence.end(notSent())}
        />
      )}
    </DoorContext>
  );
}

const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms));

const notSent = () =>
  new ApiProblem("signed_out", "Your session has ended, so this was not sent. Sign in and try again.");
