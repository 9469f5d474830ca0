"use client";
import { useCallback, useEffect, useState } from "react";
import { problemOf } from "#components/problem.ts";
import { useOnReconnect } from "#components/ui/connection.ts";
import type { ApiProblem } from "#lib/doors/client.ts";
import type { Visit } from "./visit.ts";

export interface OpenedDocument {
  /** A short-lived link to the PDF; null until it is known. */
  address: string | null;
  problem: ApiProblem | null;
  ask(): void;
}

/** Requests the document's address once; again when `ask` is called, or on reconnecting if that failed. */
export function useDocument({ ask: askServer }: Visit): OpenedDocument {
  const [address, setAddress] = useState<string | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const ask = useCallback(async () => {
    setProblem(null);
    try {
      setAddress((await askServer("document", {})).url);
    } catch (error) {
      setProblem(problemOf(error));
    }
  }, [askServer]);
  useEffect(() => {
    void ask();
  }, [ask]);
  useOnReconnect(() => {
    if (address === null) void ask();
  });
  return { address, problem, ask: () => void ask() };
}
