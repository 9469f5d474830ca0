"use client";
import { useOperation } from "#components/query.tsx";
import type { OutputOf } from "#lib/doors/client.ts";

const againMs = 1500;

type Recent = OutputOf<"versions.recent">;

const isPending = ({ data }: Recent) =>
  data.some(({ pdfState, textState }) => [pdfState, textState].includes("PENDING"));

/** The newest versions of a contract, and how many there are; asked again until none is under way. */
export const useRecentVersions = (contractId: string) =>
  useOperation(
    "versions.recent",
    { contractId },
    { everyMs: (recent) => (isPending(recent) ? againMs : null) },
  );
