"use client";
/** Over a page that a document is held over: what happens when it is dropped. */
import { FileUp } from "lucide-react";

export function DropVeil({ many = false }: { many?: boolean }) {
  return (
    <div className="pointer-events-none fixed inset-0 z-30 grid place-items-center bg-scrim">
      <p className="flex items-center gap-3 rounded-xl bg-raised px-6 py-4 font-medium text-base shadow-high">
        <FileUp aria-hidden className="size-5 text-accent" />
        {many ? "Drop them to create contracts" : "Drop it to create a contract"}
      </p>
    </div>
  );
}
