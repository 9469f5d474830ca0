"use client";
/** Handles files dropped on a page that takes none itself: creates a contract, or says where files can be dropped. */
import { usePathname } from "next/navigation";
import { useMay } from "#components/session.tsx";
import { DropOverlay } from "#components/ui/drop-overlay.tsx";
import { type FilesHandler, usePageDrop } from "#components/ui/file-drop.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { useDropToCreate } from "#components/uploads/dropped.ts";

/** Pages without input, so that leaving them loses nothing. */
const lists = new Set(["/home", "/signatures", "/obligations", "/obligations/calendar", "/counterparties"]);

export function PageDrop() {
  const may = useMay();
  const pathname = usePathname();
  const toast = useToast();
  const create = useDropToCreate();
  const mayCreate = may("contracts:write");
  const isTaken = mayCreate && lists.has(pathname);
  const take: FilesHandler = (files, folders) => {
    if (isTaken && !document.querySelector("[role=dialog]")) return create(files, folders);
    toast({
      tone: "failed",
      title: `${files[0]!.name} was not added`,
      detail: mayCreate
        ? "Drop a document on Contracts to create a contract, or on a contract to add its next version."
        : "Your role can read documents, but not add any.",
    });
  };
  const isOver = usePageDrop(take, { fallback: true });
  return isOver && isTaken ? <DropOverlay>Drop it to create a contract</DropOverlay> : null;
}
