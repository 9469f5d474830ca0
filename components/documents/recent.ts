"use client";
import { useOperation } from "#components/query.tsx";
import type { OutputOf } from "#lib/doors/client.ts";

const againMs = 1500;

type Recent = OutputOf<"versions.recent">;

const isPending = ({ data }: Recent) =>
  data.some(({ pdfState, textState }) => [pdfState, textState].includes("PENDING"));

/** Returns the newest versions of a contract and the total number, polled until none is pending. */
export const useRecentVersions = (contractId: string) =>
  useOperation(
    "versions.recent",
    { contractId },
    { everyMs: (recent) => (isPending(recent) ? againMs : null) },
  );
