"use client";
import { ChevronDown, UserMinus } from "lucide-react";
import { useState } from "react";
import { OwnerField } from "#components/owner-field.tsx";
import { useAct, useOperation } from "#components/query.tsx";
import { useMay, useSession } from "#components/session.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Avatar } from "#components/ui/bits.tsx";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "#components/ui/menu.tsx";
import { Skeleton } from "#components/ui/states.tsx";
import { Table, Td, Th, Tr } from "#components/ui/table.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { counted, inWords } from "#components/words.ts";
import type { Role } from "#lib/core/scopes.ts";
import type { Member } from "#lib/people/members/schema.ts";
import { roleHints, roles, whyNotRemove, whyNotRole } from "./roles.ts";

export function MembersTable({ members }: { members: Member[] }) {
  const { user } = useSession();
  const may = useMay()("members:write");
  const owners = members.filter(({ role }) => role === "owner").length;
  return (
    <Table label="Members">
      <thead>
        <tr>
          <Th>Name</Th>
          <Th className="max-sm:hidden">E-mail</Th>
          <Th className="text-right">Role</Th>
        </tr>
      </thead>
      <tbody>
        {members.map((member) => (
          <Tr key={member.memberId}>
            <Td className="w-full max-w-0 sm:w-1/2">
              <span className="flex items-center gap-2.5 py-1">
                <Avatar name={member.name} />
                <span className="min-w-0">
                  <span className="flex items-center gap-2">
                    <span className="truncate font-medium">{member.name}</span>
                    {member.userId === user.id && <Badge>You</Badge>}
                  </span>
                  <span className="block truncate text-quiet text-xs sm:hidden">{member.email}</span>
                </span>
              </span>
            </Td>
            <Td className="w-1/2 max-w-0 truncate text-quiet max-sm:hidden">{member.email}</Td>
            <Td className="text-right">
              {may ? (
                <RoleMenu member={member} owners={owners} />
              ) : (
                <span className="text-quiet">{inWords(member.role)}</span>
              )}
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  );
}

function RoleMenu({ member, owners }: { member: Member; owners: number }) {
  const { user, role } = useSession();
  const [isRemoving, setRemoving] = useState(false);
  const change = useRoleChange();
  const standing = { role, owners };
  const isMe = member.userId === user.id;
  const [wanted, setWanted] = useState<Role | null>(null);
  const choose = (to: Role) => {
    if (to === member.role) return;
    if (isMe) setWanted(to);
    else void change(member, to).catch(() => undefined);
  };
  return (
    <>
      <Menu
        align="end"
        label={`What ${member.name} may do`}
        trigger={
          <Button size="sm" aria-label={`${inWords(member.role)}: change what ${member.name} may do`}>
            {inWords(member.role)}
            <ChevronDown aria-hidden />
          </Button>
        }
      >
        <MenuLabel>Role</MenuLabel>
        {roles.map((to) => (
          <MenuItem
            key={to}
            checked={to === member.role}
            hint={roleHints[to]}
            disabledReason={to === member.role ? null : whyNotRole(member, to, standing)}
            onSelect={() => choose(to)}
          >
            {inWords(to)}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem
          danger
          icon={<UserMinus aria-hidden />}
          disabledReason={whyNotRemove(member, standing)}
          onSelect={() => setRemoving(true)}
        >
          {isMe ? "Leave the workspace" : "Remove from the workspace"}
        </MenuItem>
      </Menu>
      {wanted && (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && setWanted(null)}
          title={`Change your own role to ${inWords(wanted).toLowerCase()}?`}
          description={`You cannot undo this yourself. Only another ${role === "owner" ? "owner" : "owner or admin"} can give you your current role back.`}
          action="Change my role"
          onConfirm={() => change(member, wanted)}
        />
      )}
      {isRemoving && <RemoveDialog member={member} isMe={isMe} onClose={() => setRemoving(false)} />}
    </>
  );
}

const touched = ["members", "workspace", "auditEvents"] as const;

function useRoleChange() {
  const { user } = useSession();
  const toast = useToast();
  const setRole = useAct("members.setRole", { invalidates: touched });
  const run = async (member: Member, role: Role, undo?: () => void) => {
    await setRole.run({ memberId: member.memberId, role });
    // The member's own role affects the whole page.
    if (member.userId === user.id) return window.location.reload();
    toast({ title: `${member.name}'s role is now ${inWords(role).toLowerCase()}`, undo });
  };
  return (member: Member, role: Role) =>
    run(member, role, () => void run(member, member.role).catch(() => undefined));
}

/** Asks for a successor if the member has anything to hand over. */
function RemoveDialog({ member, isMe, onClose }: { member: Member; isMe: boolean; onClose(): void }) {
  const toast = useToast();
  const { data, error } = useOperation("members.holdings", { memberId: member.memberId });
  const [successorId, setSuccessorId] = useState<string | null>(null);
  const remove = useAct("members.remove", {
    invalidates: [...touched, "contracts", "obligations", "home"],
  });
  const confirm = async () => {
    await remove.run({ memberId: member.memberId, successorId });
    if (isMe) return window.location.assign("/workspaces");
    toast({ title: `${member.name} was removed` });
  };
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={isMe ? "Leave the workspace?" : `Remove ${member.name}?`}
      description={
        isMe
          ? "You lose access to everything in it immediately. Everything you own and did is kept. An admin can invite you again."
          : "They lose access to the workspace immediately, wherever they are signed in. Everything they own and did is kept, and a seat becomes free."
      }
      action={isMe ? "Leave" : "Remove"}
      onConfirm={confirm}
    >
      {!data && !error ? (
        <Skeleton className="h-14 w-full" />
      ) : (
        data &&
        data.contracts + data.obligations + data.approvals > 0 && (
          <Field
            label="Who takes over"
            hint={`${holdingsInWords(data)} ${isMe ? "you" : "them"}. Without a successor, contracts keep their owner's name, obligations go to their contracts' owners, and workspace owners approve and are notified in ${isMe ? "your" : "their"} place.`}
          >
            <OwnerField
              what="successor"
              placeholder="No one in particular"
              clearable
              without={member.userId}
              value={successorId}
              onValue={setSuccessorId}
            />
          </Field>
        )
      )}
    </ConfirmDialog>
  );
}

interface Holdings {
  contracts: number;
  obligations: number;
  approvals: number;
}

function holdingsInWords({ contracts, obligations, approvals }: Holdings): string {
  const parts = [
    ...(contracts > 0 ? [counted(contracts, "contract")] : []),
    ...(obligations > 0 ? [counted(obligations, "open obligation")] : []),
    ...(approvals > 0 ? [counted(approvals, "approval")] : []),
  ];
  const verb = contracts + obligations + approvals === 1 ? "belongs to" : "belong to";
  return `${new Intl.ListFormat("en-GB").format(parts)} ${verb}`;
}
