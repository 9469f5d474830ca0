"use client";
/** Confirms the deletion of a draft, and says what is deleted with it. */
import { useGuardedNavigation } from "#components/mounted.ts";
import { useAct, useOperation } from "#components/query.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { Skeleton } from "#components/ui/states.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { counted } from "#components/words.ts";
import type { Contract } from "#lib/contracts/schema.ts";
import type { Deletion } from "#lib/deletion/schema.ts";

export function DeleteDialog({ contract: { id, title }, onClose }: { contract: Contract; onClose(): void }) {
  const leadTo = useGuardedNavigation();
  const toast = useToast();
  const { data, error } = useOperation("contracts.previewDeletion", { id });
  const { run } = useAct("contracts.remove", {
    invalidates: ["contracts.list", "counterparties", "obligations", "signatures", "home", "auditEvents"],
  });
  const remove = async () => {
    await run({ id });
    toast({ title: "Draft deleted", detail: title });
    leadTo("/contracts");
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Delete this draft?"
      description="This cannot be undone. The audit log records who deleted it."
      action="Delete the draft"
      onConfirm={remove}
    >
      <p className="font-medium [overflow-wrap:anywhere]">{title}</p>
      {error ? (
        <p role="alert" className="mt-1 text-danger">
          {error.message}
        </p>
      ) : data ? (
        <p className="mt-1 text-quiet">{inWords(data)}</p>
      ) : (
        <Skeleton className="mt-1 h-5 w-3/4" />
      )}
    </ConfirmDialog>
  );
}

function inWords({ versions, obligations, comments, drafts }: Deletion): string {
  const parts: Parameters<typeof counted>[] = [
    [versions, "document"],
    [obligations, "obligation"],
    [comments, "comment"],
    [drafts, "draft of a signature request", "drafts of signature requests"],
  ];
  const there = parts.filter(([count]) => count > 0).map((part) => counted(...part));
  if (there.length === 0) return "Nothing else is deleted.";
  return `Also deleted: ${new Intl.ListFormat("en").format(there)}.`;
}
