"use client";
/** The actions on a contract, other than status changes, that the member may perform. */
import { Archive, ArchiveRestore, MoreHorizontal, Trash2 } from "lucide-react";
import { useState } from "react";
import { useMay, useSession } from "#components/session.tsx";
import { Button, IconButton } from "#components/ui/button.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { Menu, MenuItem } from "#components/ui/menu.tsx";
import { DateTime } from "#components/ui/time.tsx";
import type { Contract } from "#lib/contracts/schema.ts";
import { useArchive } from "./archive.ts";

const DeleteDialog = lazily(() => import("./delete-dialog.tsx").then((module) => module.DeleteDialog));

export function ContractActions({ contract }: { contract: Contract }) {
  const may = useMay();
  const { user, role } = useSession();
  const archive = useArchive();
  const [isDeleting, setDeleting] = useState(false);
  if (!may("contracts:write")) return null;
  const isArchived = contract.archivedAt !== null;
  const isTheirs = contract.ownerId === user.id || role === "owner" || role === "admin";
  const isOut = contract.status === "OUT_FOR_SIGNATURE";
  return (
    <>
      <Menu
        align="end"
        label="More"
        trigger={
          <IconButton label="More about the contract" variant="secondary">
            <MoreHorizontal aria-hidden />
          </IconButton>
        }
      >
        <MenuItem
          icon={isArchived ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />}
          disabledReason={isOut ? "It is out for signature: void the signature request first." : undefined}
          onSelect={() => void archive([contract], !isArchived).catch(() => undefined)}
        >
          {isArchived ? "Unarchive" : "Archive"}
        </MenuItem>
        {contract.status === "DRAFT" && isTheirs && (
          <MenuItem icon={<Trash2 aria-hidden />} danger onSelect={() => setDeleting(true)}>
            Delete the draft
          </MenuItem>
        )}
      </Menu>
      {isDeleting && <DeleteDialog contract={contract} onClose={() => setDeleting(false)} />}
    </>
  );
}

/** Explains that the contract is archived, and what that means. */
export function ArchivedBanner({ contract }: { contract: Contract }) {
  const may = useMay();
  const archive = useArchive();
  if (contract.archivedAt === null) return null;
  return (
    <div
      role="note"
      className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-line bg-well px-4 py-2.5"
    >
      <p className="min-w-0 flex-1 basis-60">
        Archived on <DateTime value={contract.archivedAt} />. It is left out of lists, totals and reminders,
        but still renews and expires.
      </p>
      {may("contracts:write") && (
        <Button size="sm" onClick={() => void archive([contract], false).catch(() => undefined)}>
          Unarchive
        </Button>
      )}
    </div>
  );
}
