"use client";
import { useState } from "react";
import { problemOf } from "#components/problem.ts";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { showRefusal, useZodForm } from "#components/ui/form.tsx";
import { FormError } from "#components/ui/form-error.tsx";
import { Input } from "#components/ui/input.tsx";
import { inWords } from "#components/words.ts";
import { call } from "#lib/doors/client.ts";
import { signOut } from "#lib/doors/session-client.ts";
import { NewWorkspace } from "#lib/people/accounts/schema.ts";

export interface WorkspaceChoiceProps {
  workspaces: { organizationId: string; name: string; role: string }[];
  invitations: { id: string; workspaceName: string; role: string }[];
  mayCreate: boolean;
}

const signingOut = "sign out";

export function WorkspaceChoice({ workspaces, invitations, mayCreate }: WorkspaceChoiceProps) {
  const [refused, setRefused] = useState<string | null>(null);
  /** The pending choice: the id of a workspace or an invitation, or signing out. */
  const [chosen, setChosen] = useState<string | null>(null);
  const go = async (id: string, there: () => Promise<unknown>, next = "/home") => {
    setChosen(id);
    try {
      await there();
      window.location.assign(next);
    } catch (error) {
      setRefused(problemOf(error).message);
      setChosen(null);
    }
  };
  return (
    <>
      <FormError>{refused}</FormError>
      {workspaces.length > 0 && (
        <ul className="grid gap-2">
          {workspaces.map(({ organizationId, name, role }) => (
            <li key={organizationId}>
              <Button
                size="lg"
                className="w-full"
                busy={chosen === organizationId}
                disabled={chosen !== null}
                onClick={() => void go(organizationId, () => call("workspaces.switch", { organizationId }))}
              >
                {name} <span className="font-normal text-faint">{inWords(role)}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {invitations.length > 0 && (
        <section aria-labelledby="invitations" className="grid gap-2">
          <h2 id="invitations" className="font-medium">
            Invitations to you
          </h2>
          <ul className="grid gap-2">
            {invitations.map(({ id, workspaceName, role }) => (
              <li key={id} className="grid gap-3 rounded-lg border border-line p-4">
                <p className="wrap-anywhere">
                  <span className="font-medium">{workspaceName}</span>{" "}
                  <span className="text-quiet">invited you. Your role will be {role}.</span>
                </p>
                <Button
                  variant="primary"
                  busy={chosen === id}
                  disabled={chosen !== null}
                  onClick={() => void go(id, () => call("workspaces.join", { id }))}
                >
                  Join
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {mayCreate && <NewWorkspaceForm />}
      <div>
        <Button
          variant="quiet"
          busy={chosen === signingOut}
          disabled={chosen !== null}
          onClick={() => void go(signingOut, signOut, "/sign-in")}
          className="-ml-3"
        >
          Sign out
        </Button>
      </div>
    </>
  );
}

function NewWorkspaceForm() {
  const form = useZodForm(NewWorkspace, { name: "" });
  const { errors, isSubmitting } = form.formState;
  const [leaving, setLeaving] = useState(false);
  const submit = form.handleSubmit(async (input) => {
    try {
      await call("workspaces.create", input);
      setLeaving(true);
      window.location.assign("/home");
    } catch (error) {
      showRefusal(form, problemOf(error), ["name"]);
    }
  });
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <FormError>{errors.root?.message}</FormError>
      <Field
        label="A new workspace"
        subject="The name"
        hint="Your company or team."
        error={errors.name?.message}
        required
      >
        <Input {...form.register("name")} autoComplete="organization" />
      </Field>
      <Button type="submit" variant="primary" size="lg" busy={isSubmitting || leaving}>
        Create the workspace
      </Button>
    </form>
  );
}
