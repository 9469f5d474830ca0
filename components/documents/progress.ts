"use client";
import { useEffect } from "react";
import { useOperation } from "#components/query.tsx";

const pollMs = 1500;

/** Returns the states of the PDFs and texts of a contract's versions, polled until none is pending. */
export function useProgress(contractId: string) {
  const { data, error, refetch, isFetching } = useOperation("versions.progress", { contractId });
  const isPending = data?.data.some(({ pdfState, textState }) => [pdfState, textState].includes("PENDING"));
  useEffect(() => {
    if (!isPending || isFetching) return;
    const timer = setTimeout(refetch, pollMs);
    return () => clearTimeout(timer);
  });
  return { progress: new Map(data?.data.map((one) => [one.id, one])), error: data ? null : error, refetch };
}
