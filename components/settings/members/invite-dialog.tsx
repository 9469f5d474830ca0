"use client";
/** Invites someone by e-mail. */
import { useCloseIfMounted } from "#components/mounted.ts";
import { problemOf } from "#components/problem.ts";
import { useAct } from "#components/query.tsx";
import { useSession } from "#components/session.tsx";
import { Radio } from "#components/ui/choice.tsx";
import { Field, FieldGroup } from "#components/ui/field.tsx";
import { showRefusal, useZodForm } from "#components/ui/form.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { Input } from "#components/ui/input.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { inWords } from "#components/words.ts";
import { NewInvitation } from "#lib/people/members/schema.ts";
import { Reason } from "../parts.tsx";
import { roleHints, roles } from "./roles.ts";

export function InviteDialog({ onClose }: { onClose(): void }) {
  const close = useCloseIfMounted(onClose);
  const { role: mine } = useSession();
  const toast = useToast();
  const form = useZodForm(NewInvitation, { email: "", role: "member" });
  const { errors, isSubmitting } = form.formState;
  const invite = useAct("invitations.create", {
    invalidates: ["invitations", "workspace", "auditEvents"],
    showsErrors: false,
  });
  const submit = form.handleSubmit(async (input) => {
    try {
      await invite.run(input);
      toast({ title: "Invited", detail: `${input.email} gets an e-mail with a link.` });
      close();
    } catch (error) {
      showRefusal(form, problemOf(error), ["email", "role"]);
    }
  });
  return (
    <FormDialog
      title="Invite someone"
      description="They get an e-mail with a link that works for seven days."
      error={errors.root?.message}
      action="Send the invitation"
      busy={isSubmitting}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="E-mail address" error={errors.email?.message} required>
        <Input {...form.register("email")} type="email" autoComplete="off" autoFocus />
      </Field>
      <FieldGroup legend="Role">
        {roles.toReversed().map((role) => (
          <Radio
            key={role}
            {...form.register("role")}
            value={role}
            label={inWords(role)}
            hint={roleHints[role]}
            disabled={role === "owner" && mine !== "owner"}
          />
        ))}
        {mine !== "owner" && <Reason>Only an owner can add owners. You are {mine}.</Reason>}
      </FieldGroup>
    </FormDialog>
  );
}
