"use client";
/** The rules that determine which contracts need whose approval. */
import { ListChecks, MoreHorizontal, Plus } from "lucide-react";
import { parseAsBoolean, useQueryState } from "nuqs";
import { useState } from "react";
import { conditionsInWords, standInsOf, stepInWords } from "#components/approvals/words.ts";
import { useAct, useOperation } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Button, IconButton } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { Menu, MenuItem } from "#components/ui/menu.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { useToast } from "#components/ui/toast.tsx";
import type { ApprovalRule } from "#lib/approvals/schema.ts";
import { Read, SettingsBody } from "../parts.tsx";

const RuleDialog = lazily(() => import("./rule-dialog.tsx").then((module) => module.RuleDialog));

export function ApprovalRulesPage() {
  const may = useMay()("workspace:write");
  const reading = useOperation("approvalRules.list", {});
  const [isAdding, setAdding] = useQueryState("add", parseAsBoolean.withDefault(false));
  const [editing, setEditing] = useState<ApprovalRule | null>(null);
  const [removing, setRemoving] = useState<ApprovalRule | null>(null);
  const add = may && (
    <Button variant="primary" onClick={() => void setAdding(true)}>
      <Plus aria-hidden />
      Add a rule
    </Button>
  );
  return (
    <SettingsBody
      title="Approvals"
      description="A contract that a rule applies to is approved, and sent for signature, only after everyone it names has approved it."
      actions={add}
    >
      <div className="overflow-hidden rounded-lg border border-line">
        <Read reading={reading} label="Loading the approval rules">
          {({ data }) =>
            data.length === 0 ? (
              <EmptyState icon={ListChecks} title="No approval rules yet" action={add}>
                Without rules, anyone who can edit a contract can approve it. A rule says which contracts need
                whose approval, such as all above a value.
              </EmptyState>
            ) : (
              <ul className="divide-y divide-line">
                {data.map((rule) => (
                  <li key={rule.id} className="flex items-start gap-3 px-4 py-3.5">
                    <Rule rule={rule} />
                    {may && (
                      <Menu
                        align="end"
                        label={rule.name}
                        trigger={
                          <IconButton label={`More for the rule ${rule.name}`} size="sm">
                            <MoreHorizontal aria-hidden />
                          </IconButton>
                        }
                      >
                        <MenuItem onSelect={() => setEditing(rule)}>Edit</MenuItem>
                        <MenuItem danger onSelect={() => setRemoving(rule)}>
                          Delete
                        </MenuItem>
                      </Menu>
                    )}
                  </li>
                ))}
              </ul>
            )
          }
        </Read>
      </div>
      {may && isAdding && <RuleDialog onClose={() => void setAdding(null)} />}
      {editing && <RuleDialog rule={editing} onClose={() => setEditing(null)} />}
      {removing && <RemoveDialog rule={removing} onClose={() => setRemoving(null)} />}
    </SettingsBody>
  );
}

function Rule({ rule }: { rule: ApprovalRule }) {
  const conditions = conditionsInWords(rule);
  return (
    <div className="grid min-w-0 flex-1 gap-2 [overflow-wrap:anywhere]">
      <h2 className="font-medium">{rule.name}</h2>
      <ul className="text-quiet text-sm">
        {conditions.length === 0 && <li>Every contract</li>}
        {conditions.map((condition) => (
          <li key={condition}>{condition}</li>
        ))}
      </ul>
      <ol className="list-inside list-decimal text-sm">
        {rule.steps.map((step, index) => {
          const standIns = standInsOf(step);
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a step is identified by its position.
            <li key={index}>
              {stepInWords(step)}
              {standIns && <span className="block text-quiet text-xs">{standIns}</span>}
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function RemoveDialog({ rule, onClose }: { rule: ApprovalRule; onClose(): void }) {
  const toast = useToast();
  const remove = useAct("approvalRules.remove", {
    invalidates: ["approvalRules", "approvals", "auditEvents"],
  });
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Delete this rule?"
      description={`“${rule.name}” no longer applies to any contract. Approvals already requested continue.`}
      action="Delete the rule"
      onConfirm={async () => {
        await remove.run({ id: rule.id });
        toast({ title: "Rule deleted" });
      }}
    />
  );
}
