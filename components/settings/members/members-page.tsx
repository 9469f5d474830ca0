"use client";
/** The workspace's members and invitations. */
import { UserPlus } from "lucide-react";
import { parseAsBoolean, useQueryState } from "nuqs";
import { useOperation } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { Read, Reason, SettingsBody } from "../parts.tsx";
import { Seats } from "../seats.tsx";
import { Invitations } from "./invitations.tsx";
import { MembersTable } from "./members-table.tsx";

/** Loaded on demand, because it includes the form library. */
const InviteDialog = lazily(() => import("./invite-dialog.tsx").then((module) => module.InviteDialog));

export function MembersPage() {
  const may = useMay()("members:write");
  const reading = useOperation("members.list", {});
  const { data } = useOperation("workspace.read", {});
  const [isInviting, setInviting] = useQueryState("invite", parseAsBoolean.withDefault(false));
  const plan = data?.workspace;
  const isFull = plan !== undefined && plan.seatsUsed >= plan.seats;
  return (
    <SettingsBody
      wide
      title="Members"
      description="Who works here, and what each may do."
      actions={
        may && (
          <Button variant="primary" disabled={isFull} onClick={() => void setInviting(true)}>
            <UserPlus aria-hidden />
            Invite
          </Button>
        )
      }
    >
      {plan && (
        <div className="grid gap-2">
          <Seats workspace={plan} />
          {may && isFull && (
            <Reason>
              Remove a member, revoke an invitation, or ask the operator for seats to invite more.
            </Reason>
          )}
        </div>
      )}
      <div className="overflow-hidden rounded-lg border border-line">
        <Read reading={reading} label="Loading members">
          {({ data: members }) => <MembersTable members={members} />}
        </Read>
      </div>
      <Invitations />
      {may && isInviting && !isFull && <InviteDialog onClose={() => void setInviting(null)} />}
    </SettingsBody>
  );
}
