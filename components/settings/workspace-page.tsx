"use client";
/** The workspace's general settings: its name, currency and seal. */
import { useRouter } from "next/navigation";
import { useMemo, useState } from "react";
import { Controller } from "react-hook-form";
import { changedIn } from "#components/changed-in.ts";
import { problemOf } from "#components/problem.ts";
import { useAct, useOperation } from "#components/query.tsx";
import { useRefusal, useSession } from "#components/session.tsx";
import { DefinitionList } from "#components/ui/bits.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, Section } from "#components/ui/card.tsx";
import { Combobox } from "#components/ui/combobox.tsx";
import { CopyText } from "#components/ui/copy.tsx";
import { Field } from "#components/ui/field.tsx";
import { showRefusal, useZodForm } from "#components/ui/form.tsx";
import { FormError } from "#components/ui/form-error.tsx";
import { Input } from "#components/ui/input.tsx";
import { DateTime } from "#components/ui/time.tsx";
import { useToast } from "#components/ui/toast.tsx";
import type { Workspace } from "#lib/people/members/schema.ts";
import { Read, Reason, SettingsBody } from "./parts.tsx";

const loadForm = () => import("./workspace-form.ts").then((module) => module.WorkspaceForm);

const names = new Intl.DisplayNames("en", { type: "currency" });

export function WorkspacePage() {
  const reading = useOperation("workspace.read", {});
  return (
    <SettingsBody title="Workspace" description="What everyone here shares.">
      <Read reading={reading} label="Loading the workspace">
        {({ workspace }) => (
          <>
            <WorkspaceFields key={`${workspace.name} ${workspace.currency}`} workspace={workspace} />
            <SealSection certificates={workspace.sealingCertificates} />
            <Section title="For support and for software">
              <DefinitionList
                className="sm:grid-cols-2"
                items={[
                  { term: "Workspace id", value: <CopyText text={workspace.id} /> },
                  { term: "Created", value: <DateTime value={workspace.createdAt} /> },
                ]}
              />
            </Section>
          </>
        )}
      </Read>
    </SettingsBody>
  );
}

/** The fingerprint distinguishes the workspace's seal from one that only uses its name. */
function SealSection({ certificates }: { certificates: Workspace["sealingCertificates"] }) {
  return (
    <Section title="Seal of signed documents">
      <p className="mb-3 text-quiet">
        {certificates.length === 0
          ? "The workspace's sealing certificate is created with the first document that is sealed."
          : "Publish the fingerprint where the people you sign with can find it, for instance on your website: a seal with another fingerprint is not yours, whatever name it carries."}
      </p>
      {certificates.map(({ name, fingerprint, firstUsedAt, notAfter }) => (
        <Card key={fingerprint} className="mb-3 p-4">
          <DefinitionList
            className="sm:grid-cols-3"
            items={[
              { term: "Certificate", value: <span className="[overflow-wrap:anywhere]">{name}</span> },
              { term: "First used", value: <DateTime value={firstUsedAt} /> },
              { term: "Valid until", value: <DateTime value={notAfter} /> },
            ]}
          />
          <p className="mt-3">
            <CopyText label="Fingerprint (SHA-256)" text={fingerprint} />
          </p>
        </Card>
      ))}
    </Section>
  );
}

function WorkspaceFields({ workspace }: { workspace: Workspace }) {
  const refused = useRefusal()("workspace:write");
  const { currencies } = useSession();
  const options = useMemo(
    () => currencies.map((value) => ({ value, label: value, hint: names.of(value) })),
    [currencies],
  );
  const [first] = useState(() => ({ name: workspace.name, currency: workspace.currency }));
  const form = useZodForm(loadForm, first);
  const { errors, isDirty, isSubmitting } = form.formState;
  const toast = useToast();
  const router = useRouter();
  const patch = useAct("workspace.patch", {
    invalidates: ["workspace", "workspaces", "auditEvents"],
    showsErrors: false,
  });
  const submit = form.handleSubmit(async (values) => {
    try {
      const changed = changedIn(values, first);
      if (Object.keys(changed).length === 0) return form.reset();
      await patch.run(changed);
      toast({ title: "Workspace updated" });
      // The menu also shows the name.
      router.refresh();
    } catch (error) {
      showRefusal(form, problemOf(error), ["name", "currency"]);
    }
  });
  return (
    <Card className="p-4 sm:p-5">
      <form onSubmit={submit} noValidate className="grid gap-4">
        <FormError>{errors.root?.message}</FormError>
        <Field
          label="Name"
          hint="In the menu, in e-mails and on completion certificates."
          error={errors.name?.message}
          required
        >
          <Input {...form.register("name")} disabled={refused !== null} autoComplete="organization" />
        </Field>
        <Field
          label="Currency"
          hint="For values without a currency of their own. Existing contracts keep theirs."
          error={errors.currency?.message}
        >
          <Controller
            control={form.control}
            name="currency"
            render={({ field }) => (
              <Combobox
                what="currency"
                value={field.value}
                options={options}
                onValue={(value) => value && field.onChange(value)}
                disabled={refused !== null}
                className="sm:w-64"
              />
            )}
          />
        </Field>
        {refused ? (
          <Reason>{refused}</Reason>
        ) : (
          <div>
            <Button type="submit" variant="primary" disabled={!isDirty} busy={isSubmitting}>
              Save
            </Button>
          </div>
        )}
      </form>
    </Card>
  );
}
