"use client";
/** Actions on several obligations at once. */
import { Check, UserRound } from "lucide-react";
import { useState } from "react";
import { useAct } from "#components/query.tsx";
import { SelectionBar } from "#components/selection.tsx";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { counted } from "#components/words.ts";
import { canRequest } from "#lib/obligations/lifecycle.ts";
import type { ObligationInContract } from "#lib/obligations/schema.ts";
import { AssigneeField } from "./assignee.tsx";
import { occurrenceOf } from "./moves.tsx";

export function BulkBar({ obligations, onClear }: { obligations: ObligationInContract[]; onClear(): void }) {
  const [asking, setAsking] = useState<"complete" | "reassign" | null>(null);
  const [assigneeId, setAssigneeId] = useState<string | null>(null);
  const change = useBulkChange(onClear);
  const able = obligations.filter(({ status }) => canRequest(status, "COMPLETED"));
  const left = obligations.length - able.length;
  const close = (open: boolean) => !open && setAsking(null);
  return (
    <SelectionBar
      label="Selected obligations"
      count={obligations.length}
      onClear={onClear}
      dialogs={
        <>
          <ConfirmDialog
            open={asking === "complete"}
            onOpenChange={close}
            title={`Complete ${counted(able.length, "obligation")}?`}
            description={
              left > 0
                ? `${counted(left, "other")} cannot be completed from ${left === 1 ? "its" : "their"} current status, and ${left === 1 ? "stays" : "stay"} unchanged.`
                : "Those that recur move to their next date."
            }
            action="Complete"
            danger={false}
            onConfirm={() => change(able, { status: "COMPLETED" }, "completed")}
          />
          <ConfirmDialog
            open={asking === "reassign"}
            onOpenChange={close}
            title={`Reassign ${counted(obligations.length, "obligation")}`}
            description="The new assignee gets one notification."
            action="Reassign"
            danger={false}
            onConfirm={() => change(obligations, { assigneeId }, "reassigned")}
          >
            <Field label="Assignee">
              <AssigneeField value={assigneeId} onValue={setAssigneeId} />
            </Field>
          </ConfirmDialog>
        </>
      }
    >
      <Button variant="primary" disabled={able.length === 0} onClick={() => setAsking("complete")}>
        <Check aria-hidden />
        Complete
      </Button>
      <Button onClick={() => setAsking("reassign")}>
        <UserRound aria-hidden />
        Reassign
      </Button>
    </SelectionBar>
  );
}

function useBulkChange(onDone: () => void) {
  const toast = useToast();
  const patch = useAct("obligations.patchMany", {
    invalidates: ["obligations", "home", "notifications", "auditEvents", "contracts.activity"],
  });
  return async (
    obligations: ObligationInContract[],
    what: { status: "COMPLETED" } | { assigneeId: string | null },
    done: string,
  ) => {
    const occurrences = obligations.flatMap((one) => {
      const seen = occurrenceOf(one);
      return seen ? [{ id: one.id, ...seen }] : [];
    });
    const { results } = await patch.run({
      ids: obligations.map(({ id }) => id),
      ...what,
      ...("status" in what && { occurrences }),
    });
    const refused = results.filter(({ ok }) => !ok);
    const changed = results.length - refused.length;
    if (changed > 0) toast({ title: `${counted(changed, "obligation")} ${done}` });
    if (refused.length > 0) {
      const titles = new Map(obligations.map(({ id, title }) => [id, title]));
      const detail = refused.slice(0, 3).map(({ id, message }) => `${titles.get(id)}: ${message}`);
      const title = `${counted(refused.length, "obligation")} not ${done}`;
      toast({ tone: "failed", title, detail: detail.join(" ") });
    }
    onDone();
  };
}
