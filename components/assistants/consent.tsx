"use client";
/** The form in which a person decides what an assistant may do for them, and in which workspace. */
import { useState } from "react";
import { isUnconfirmed } from "#components/identity-check.ts";
import { problemOf } from "#components/problem.ts";
import { useAct } from "#components/query.tsx";
import { Button } from "#components/ui/button.tsx";
import { Checkbox, Switch } from "#components/ui/choice.tsx";
import { Field, FieldGroup } from "#components/ui/field.tsx";
import { FormError } from "#components/ui/form-error.tsx";
import { Select } from "#components/ui/select.tsx";
import type { AssistantRequest } from "#lib/assistants/schema.ts";
import type { AssistantScope } from "#lib/core/scopes.ts";
import { ProgramCard } from "./program-card.tsx";
import { isReading, scopeWords } from "./words.ts";

type Workspace = AssistantRequest["workspaces"][number];

interface ConsentProps extends AssistantRequest {
  id: string;
  email: string;
}

export function Consent({ id, email, program, scopes, workspaces }: ConsentProps) {
  const [chosen, setChosen] = useState(workspaces.find(({ isCurrent }) => isCurrent) ?? workspaces[0]);
  const [withheld, setWithheld] = useState<readonly AssistantScope[]>([]);
  const [isReadOnly, setReadOnly] = useState(false);
  const { decide, refused, busy } = useDecision();
  if (!chosen) return <p>Join a workspace first. Then connect again from the assistant.</p>;
  const asksToChange = scopes.some((scope) => !isReading(scope));
  const isForced = chosen.policy === "read_only";
  const readsOnly = isForced || isReadOnly;
  const open = chosen.scopes.filter((scope) => isReading(scope) || !readsOnly);
  const granted = open.filter((scope) => !withheld.includes(scope));
  const toggle = (scope: AssistantScope) =>
    setWithheld(
      withheld.includes(scope) ? withheld.filter((other) => other !== scope) : [...withheld, scope],
    );
  const tick = (scope: AssistantScope) => (
    <Checkbox
      key={scope}
      label={scopeWords[scope]}
      hint={whyNot(chosen, scope)}
      checked={granted.includes(scope)}
      disabled={!open.includes(scope)}
      onChange={() => toggle(scope)}
    />
  );
  return (
    <>
      <ProgramCard program={program} />
      <WorkspaceChoice workspaces={workspaces} chosen={chosen} email={email} onChoose={setChosen} />
      {chosen.policy === "off" ? (
        <p className="wrap-anywhere text-quiet">
          {chosen.name} does not allow assistants. An owner or admin can change that in its settings.
        </p>
      ) : (
        <>
          <FieldGroup legend="It may read">{scopes.filter(isReading).map(tick)}</FieldGroup>
          {asksToChange && (
            <>
              <Switch
                label="Read only"
                hint={
                  isForced
                    ? "The workspace lets assistants read only. An owner or admin can change that in its settings."
                    : "It can look things up, but not change anything."
                }
                checked={readsOnly}
                disabled={isForced}
                onChange={(event) => setReadOnly(event.target.checked)}
              />
              <FieldGroup legend="It may also">
                {scopes.filter((scope) => !isReading(scope)).map(tick)}
              </FieldGroup>
            </>
          )}
          <p className="text-quiet text-xs">
            It acts in your name and never sends, signs or invites. You can disconnect it at any time in
            Settings.
          </p>
        </>
      )}
      <FormError>{refused}</FormError>
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="lg" busy={busy === "refuse"} disabled={busy !== null} onClick={() => decide.refuse(id)}>
          Cancel
        </Button>
        <Button
          variant="primary"
          size="lg"
          busy={busy === "approve"}
          disabled={busy !== null || granted.length === 0}
          onClick={() => decide.approve(id, chosen, granted)}
        >
          Allow
        </Button>
      </div>
    </>
  );
}

/** Sends the decision, and returns to the program. */
function useDecision() {
  const [refused, setRefused] = useState<string | null>(null);
  const [busy, setBusy] = useState<"approve" | "refuse" | null>(null);
  const approving = useAct("assistantRequests.approve", { showsErrors: false });
  const refusing = useAct("assistantRequests.refuse", { showsErrors: false });
  const sendDecision = async (how: "approve" | "refuse", decided: Promise<{ returnTo: string }>) => {
    setBusy(how);
    setRefused(null);
    try {
      window.location.assign((await decided).returnTo);
    } catch (error) {
      setBusy(null);
      if (!isUnconfirmed(error)) setRefused(problemOf(error).message);
    }
  };
  const decide = {
    approve: (request: string, { organizationId }: Workspace, scopes: AssistantScope[]) =>
      void sendDecision("approve", approving.run({ request, organizationId, scopes })),
    refuse: (request: string) => void sendDecision("refuse", refusing.run({ request })),
  };
  return { decide, refused, busy };
}

interface WorkspaceChoiceProps {
  workspaces: Workspace[];
  chosen: Workspace;
  email: string;
  onChoose(workspace: Workspace): void;
}

function WorkspaceChoice({ workspaces, chosen, email, onChoose }: WorkspaceChoiceProps) {
  return (
    <Field label="Workspace" hint={<span className="wrap-anywhere">You are signed in as {email}.</span>}>
      <Select
        options={workspaces.map(({ organizationId, name }) => ({ value: organizationId, label: name }))}
        value={chosen.organizationId}
        onChange={({ target }) => {
          const next = workspaces.find(({ organizationId }) => organizationId === target.value);
          if (next) onChoose(next);
        }}
      />
    </Field>
  );
}

/** Returns why a checkbox is disabled, unless it is because of the switch above it. */
function whyNot({ scopes, policy, role }: Workspace, scope: AssistantScope): string | undefined {
  if (scopes.includes(scope)) return undefined;
  if (policy === "read_only" && !isReading(scope)) return "Not allowed by the workspace.";
  return `Not allowed for your role, ${role}.`;
}
