"use client";
/** Pending invitations, and the outcome of earlier ones. */
import { Mail } from "lucide-react";
import { useState } from "react";
import { useAct, useOperation } from "#components/query.tsx";
import { useMay, useSession } from "#components/session.tsx";
import { Badge, type Tone } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Section } from "#components/ui/card.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { Ago, DateTime } from "#components/ui/time.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { counted, inWords } from "#components/words.ts";
import type { Invitation, InvitationStatus } from "#lib/people/members/schema.ts";
import { Read } from "../parts.tsx";

const tones: Record<InvitationStatus, Tone> = {
  pending: "info",
  accepted: "good",
  revoked: "neutral",
  expired: "warn",
};

export function Invitations() {
  const reading = useOperation("invitations.list", {});
  const [showsAll, setShowsAll] = useState(false);
  return (
    <Section title="Invitations">
      <div className="overflow-hidden rounded-lg border border-line">
        <Read reading={reading} label="Loading invitations" rows={2}>
          {({ data }) => {
            const isOpen = ({ status }: Invitation) => status === "pending" || status === "expired";
            const [waiting, over] = [data.filter(isOpen), data.filter((each) => !isOpen(each))];
            return (
              <>
                {waiting.length === 0 && !showsAll && (
                  <EmptyState compact icon={Mail} title="No pending invitations">
                    People you invite get an e-mail with a link that works for seven days. Each pending
                    invitation takes a seat.
                  </EmptyState>
                )}
                <ul>
                  {[...waiting, ...(showsAll ? over : [])].map((invitation) => (
                    <Row key={invitation.id} invitation={invitation} />
                  ))}
                </ul>
                {over.length > 0 && !showsAll && (
                  <div className="border-line border-t px-4 py-2">
                    <Button variant="quiet" size="sm" onClick={() => setShowsAll(true)}>
                      Show {counted(over.length, "answered or revoked invitation")}
                    </Button>
                  </div>
                )}
              </>
            );
          }}
        </Read>
      </div>
    </Section>
  );
}

const touched = ["invitations", "workspace", "auditEvents"] as const;

function Row({ invitation }: { invitation: Invitation }) {
  const { id, email, role, status, createdAt, expiresAt } = invitation;
  const { role: mine } = useSession();
  const may = useMay()("members:write");
  const toast = useToast();
  const [isRevoking, setRevoking] = useState(false);
  const resend = useAct("invitations.resend", { invalidates: touched });
  const revoke = useAct("invitations.revoke", { invalidates: touched });
  const sendAgain = async () => {
    await resend.run({ id });
    toast({ title: "Sent again", detail: `${email} has a new link; the previous one no longer works.` });
  };
  const isOwners = role === "owner" && mine !== "owner";
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1.5 border-line border-b px-4 py-2.5 last:border-b-0">
      <div className="min-w-0 flex-1 basis-52">
        <p className="break-words font-medium">{email}</p>
        <p className="text-quiet text-xs">
          {inWords(role)} · sent <Ago value={createdAt} />
          {status === "pending" && (
            <>
              {" "}
              · until <DateTime value={expiresAt} />
            </>
          )}
        </p>
      </div>
      <Badge tone={tones[status]} dot>
        {inWords(status)}
      </Badge>
      {may && (status === "pending" || status === "expired") && (
        <span className="flex gap-1.5">
          {!isOwners && (
            <Button
              size="sm"
              busy={resend.isRunning}
              aria-label={`Send again to ${email}`}
              onClick={() => void sendAgain().catch(() => undefined)}
            >
              Send again
            </Button>
          )}
          {status === "pending" && (
            <Button
              size="sm"
              variant="quiet"
              aria-label={`Revoke the invitation of ${email}`}
              onClick={() => setRevoking(true)}
            >
              Revoke
            </Button>
          )}
        </span>
      )}
      {isRevoking && (
        <ConfirmDialog
          open
          onOpenChange={setRevoking}
          title="Revoke the invitation?"
          description={`The link that ${email} has stops working, and a seat becomes free.`}
          action="Revoke"
          onConfirm={() => revoke.run({ id })}
        />
      )}
    </li>
  );
}
