"use client";
/** The actions on a request as a whole, for the sender's side. */
import { Ban, BellRing, CalendarPlus, Copy, Ellipsis, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useGuardedNavigation } from "#components/mounted.ts";
import { useAct } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { Menu, MenuItem } from "#components/ui/menu.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { envelopeLifecycle, isOutForSignature } from "#lib/signatures/lifecycle.ts";
import { type Envelope, useRequestAction } from "../request-actions.ts";

/** Loaded on demand, because they include the form library. */
const ExtendDialog = lazily(() => import("./extend-dialog.tsx").then((module) => module.ExtendDialog));
const VoidDialog = lazily(() => import("./void-dialog.tsx").then((module) => module.VoidDialog));

export function RequestActions({ envelope }: { envelope: Envelope }) {
  const may = useMay();
  const leadTo = useGuardedNavigation();
  const toast = useToast();
  const [asking, setAsking] = useState<"extend" | "void" | "discard" | null>(null);
  const [isLeaving, setLeaving] = useState(false);
  const remind = useRequestAction("signatures.remind");
  const lists = ["signatures.list", "signatures.listOfContract", "home"] as const;
  const duplicate = useAct("signatures.duplicateAsDraft", { invalidates: lists });
  const discard = useAct("signatures.discardDraft", { invalidates: lists });
  if (!may("signatures:write")) return null;
  const { id: envelopeId, status } = envelope;
  const close = () => setAsking(null);
  const remindAll = async () => {
    await remind.run({ envelopeId });
    toast({ title: "Reminded", detail: "Whoever's turn it is gets the e-mail again." });
  };
  const copyAsDraft = async () => {
    const made = await duplicate.run({ envelopeId });
    setLeaving(true);
    toast({ title: "Duplicated as a draft" });
    leadTo(`/signatures/${made.envelope.id}/edit`);
  };
  return (
    <>
      {status === "DRAFT" && (
        <ButtonLink href={`/signatures/${envelopeId}/edit`}>
          <Pencil aria-hidden />
          Edit
        </ButtonLink>
      )}
      {isOutForSignature(status) && (
        <Button busy={remind.isRunning} onClick={() => void remindAll().catch(() => undefined)}>
          <BellRing aria-hidden />
          Remind
        </Button>
      )}
      {status === "EXPIRED" && (
        <Button variant="primary" onClick={() => setAsking("extend")}>
          <CalendarPlus aria-hidden />
          Extend the deadline
        </Button>
      )}
      <Menu
        align="end"
        label="More"
        trigger={
          <Button aria-label="More" busy={duplicate.isRunning || isLeaving}>
            <Ellipsis aria-hidden />
          </Button>
        }
      >
        {isOutForSignature(status) && (
          <MenuItem icon={<CalendarPlus aria-hidden />} onSelect={() => setAsking("extend")}>
            Change the deadline
          </MenuItem>
        )}
        <MenuItem
          icon={<Copy aria-hidden />}
          onSelect={() => void copyAsDraft().catch(() => undefined)}
          hint="The same signers and fields, nothing filled in."
        >
          Duplicate as draft
        </MenuItem>
        {status === "DRAFT" ? (
          <MenuItem danger icon={<Trash2 aria-hidden />} onSelect={() => setAsking("discard")}>
            Discard the draft
          </MenuItem>
        ) : (
          <MenuItem
            danger
            icon={<Ban aria-hidden />}
            disabledReason={
              isOutForSignature(status) ? null : (envelopeLifecycle[status].why ?? "It has already ended.")
            }
            onSelect={() => setAsking("void")}
          >
            Void the request
          </MenuItem>
        )}
      </Menu>
      {asking === "extend" && <ExtendDialog envelope={envelope} onClose={close} />}
      {asking === "void" && <VoidDialog by="signatures.void" envelope={envelope} onClose={close} />}
      <ConfirmDialog
        open={asking === "discard"}
        onOpenChange={(open) => !open && close()}
        title="Discard this draft?"
        description="Its signers and fields are deleted. The contract and its documents are kept."
        action="Discard the draft"
        onConfirm={async () => {
          await discard.run({ envelopeId });
          toast({ title: "Draft discarded" });
          leadTo(`/contracts/${envelope.contractId}`);
        }}
      />
    </>
  );
}
