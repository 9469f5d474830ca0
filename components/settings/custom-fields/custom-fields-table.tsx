"use client";
import { useState } from "react";
import { typeWords } from "#components/custom-fields/words.ts";
import { useAct } from "#components/query.tsx";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { ActionsTh, Table, Td, Th, Tr } from "#components/ui/table.tsx";
import { useToast } from "#components/ui/toast.tsx";
import type { CustomField } from "#lib/custom-fields/schema.ts";

export interface CustomFieldsTableProps {
  fields: CustomField[];
  /** Null if the member may not edit fields. */
  onEdit: ((field: CustomField) => void) | null;
}

export function CustomFieldsTable({ fields, onEdit }: CustomFieldsTableProps) {
  const [deleted, setDeleted] = useState<CustomField | null>(null);
  return (
    <>
      <Table label="Custom fields">
        <thead>
          <tr>
            <Th>Name</Th>
            <Th>Type</Th>
            {onEdit && <ActionsTh />}
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <Tr key={field.id}>
              <Td className="w-full max-w-0">
                <div className="py-1.5">
                  <p className="break-words font-medium">{field.name}</p>
                  <code className="break-all font-mono text-quiet text-xs">{field.key}</code>
                </div>
              </Td>
              <Td className="max-w-56">
                {typeWords[field.type]}
                {field.type === "choice" && (
                  <span
                    className="block truncate text-quiet text-xs max-sm:hidden"
                    title={field.options.join(", ")}
                  >
                    {field.options.join(", ")}
                  </span>
                )}
              </Td>
              {onEdit && (
                <Td className="whitespace-nowrap text-right">
                  <span className="inline-flex gap-2 max-sm:flex-col">
                    <Button size="sm" aria-label={`Edit ${field.name}`} onClick={() => onEdit(field)}>
                      Edit
                    </Button>
                    <Button size="sm" aria-label={`Delete ${field.name}`} onClick={() => setDeleted(field)}>
                      Delete
                    </Button>
                  </span>
                </Td>
              )}
            </Tr>
          ))}
        </tbody>
      </Table>
      {deleted && <DeleteDialog field={deleted} onClose={() => setDeleted(null)} />}
    </>
  );
}

function DeleteDialog({ field: { id, name }, onClose }: { field: CustomField; onClose(): void }) {
  const toast = useToast();
  const remove = useAct("customFields.remove", { invalidates: ["customFields", "contracts", "auditEvents"] });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Delete “${name}”?`}
      description="It disappears from every contract, with what was entered in it. This cannot be undone."
      action="Delete the field"
      onConfirm={async () => {
        await remove.run({ id });
        toast({ title: "Field deleted", detail: name });
      }}
    />
  );
}
