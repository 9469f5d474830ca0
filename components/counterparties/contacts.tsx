"use client";
/** A counterparty's contacts. */
import { MoreHorizontal, Plus, UserRound } from "lucide-react";
import { useState } from "react";
import { useAct } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Avatar } from "#components/ui/bits.tsx";
import { Button, IconButton } from "#components/ui/button.tsx";
import { Card, Section } from "#components/ui/card.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { Menu, MenuItem } from "#components/ui/menu.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { useToast } from "#components/ui/toast.tsx";
import type { Contact } from "#lib/counterparties/schema.ts";

/** Loaded on demand, because it includes the form library. */
const ContactDialog = lazily(() => import("./contact-dialog.tsx").then((module) => module.ContactDialog));

export function Contacts({ counterpartyId, contacts }: { counterpartyId: string; contacts: Contact[] }) {
  const may = useMay();
  const mayWrite = may("counterparties:write");
  const [editing, setEditing] = useState<Contact | "new" | null>(null);
  const [removing, setRemoving] = useState<Contact | null>(null);
  const toast = useToast();
  const options = { invalidates: ["counterparties", "contacts"] } as const;
  const patch = useAct("contacts.patch", options);
  const remove = useAct("contacts.remove", options);
  const makePrimary = (contact: Contact) =>
    void patch
      .run({ id: counterpartyId, contactId: contact.id, isPrimary: true })
      .then(() => toast({ title: `${contact.name} is the primary contact` }))
      .catch(() => undefined);
  return (
    <Section
      title="Contacts"
      actions={
        mayWrite && (
          <Button size="sm" onClick={() => setEditing("new")}>
            <Plus aria-hidden />
            Add
          </Button>
        )
      }
    >
      <Card>
        {contacts.length === 0 && (
          <EmptyState compact icon={UserRound} title="No contacts yet">
            The people you write to, and who sign.
          </EmptyState>
        )}
        <ul>
          {contacts.map((contact) => (
            <li
              key={contact.id}
              className="flex items-center gap-3 border-line border-b px-4 py-2.5 last:border-b-0"
            >
              <Avatar name={contact.name} />
              <div className="min-w-0 flex-1">
                <p className="flex items-center gap-2 font-medium">
                  <span className="truncate">{contact.name}</span>
                  {contact.isPrimary && <Badge tone="info">Primary</Badge>}
                </p>
                <a
                  href={`mailto:${contact.email}`}
                  className="block truncate text-quiet text-xs hover:underline"
                >
                  {contact.email}
                </a>
              </div>
              {mayWrite && (
                <Menu
                  align="end"
                  label={contact.name}
                  trigger={
                    <IconButton label={`More for ${contact.name}`} size="sm">
                      <MoreHorizontal aria-hidden />
                    </IconButton>
                  }
                >
                  <MenuItem onSelect={() => setEditing(contact)}>Edit</MenuItem>
                  {!contact.isPrimary && (
                    <MenuItem onSelect={() => makePrimary(contact)}>Set as the primary contact</MenuItem>
                  )}
                  <MenuItem danger onSelect={() => setRemoving(contact)}>
                    Delete
                  </MenuItem>
                </Menu>
              )}
            </li>
          ))}
        </ul>
      </Card>
      {editing && (
        <ContactDialog
          counterpartyId={counterpartyId}
          contact={editing === "new" ? undefined : editing}
          onClose={() => setEditing(null)}
        />
      )}
      {removing && (
        <ConfirmDialog
          open
          onOpenChange={(open) => !open && setRemoving(null)}
          title={`Delete ${removing.name}?`}
          description="Signature requests that name them keep their name and address."
          action="Delete the contact"
          onConfirm={() => remove.run({ id: counterpartyId, contactId: removing.id })}
        />
      )}
    </Section>
  );
}
