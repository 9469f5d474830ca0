"use client";
/** The workspace's custom fields for contracts. */
import { Plus, TextCursorInput } from "lucide-react";
import { parseAsBoolean, useQueryState } from "nuqs";
import { useState } from "react";
import { useOperation } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { maxCustomFields } from "#lib/custom-fields/catalogue.ts";
import type { CustomField } from "#lib/custom-fields/schema.ts";
import { Read, Reason, SettingsBody } from "../parts.tsx";
import { CustomFieldsTable } from "./custom-fields-table.tsx";

const CustomFieldDialog = lazily(() =>
  import("./custom-field-dialog.tsx").then((module) => module.CustomFieldDialog),
);

export function CustomFieldsPage() {
  const may = useMay();
  const reading = useOperation("customFields.list", {});
  const [isAdding, setAdding] = useQueryState("add", parseAsBoolean.withDefault(false));
  const [edited, setEdited] = useState<CustomField | null>(null);
  const mayChange = may("workspace:write");
  const isFull = (reading.data?.data.length ?? 0) >= maxCustomFields;
  const add = mayChange && !isFull && (
    <Button variant="primary" onClick={() => void setAdding(true)}>
      <Plus aria-hidden />
      Add a field
    </Button>
  );
  return (
    <SettingsBody
      wide
      title="Custom fields"
      description="Your own fields, in addition to the built-in ones. You can filter and sort lists by them."
      actions={add}
    >
      {mayChange && isFull && (
        <Reason>
          A workspace can have {maxCustomFields} custom fields. Delete one that is not needed any more to add
          another.
        </Reason>
      )}
      {!mayChange && <Reason>Owners and admins add and change custom fields.</Reason>}
      <div className="overflow-hidden rounded-lg border border-line">
        <Read reading={reading} label="Loading custom fields">
          {({ data }) =>
            data.length === 0 ? (
              <EmptyState icon={TextCursorInput} title="No custom fields yet" action={add}>
                A field holds something specific to your company: a cost center, a region, the lawyer in
                charge.
              </EmptyState>
            ) : (
              <CustomFieldsTable fields={data} onEdit={mayChange ? setEdited : null} />
            )
          }
        </Read>
      </div>
      {mayChange && isAdding && <CustomFieldDialog onClose={() => void setAdding(null)} />}
      {edited && <CustomFieldDialog field={edited} onClose={() => setEdited(null)} />}
    </SettingsBody>
  );
}
