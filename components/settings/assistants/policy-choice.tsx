"use client";
/** The most that assistants may do in the workspace. Owners and admins can change it; others can see it. */
import { useState } from "react";
import { useAct } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Radio } from "#components/ui/choice.tsx";
import { FieldGroup } from "#components/ui/field.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { type AssistantPolicy, assistantPolicies } from "#lib/assistants/lifecycle.ts";

const words: Record<AssistantPolicy, { label: string; hint: string }> = {
  off: { label: "Off", hint: "No assistant has access, not even connected ones." },
  read_only: { label: "Read only", hint: "Assistants can look things up, but not change anything." },
  as_granted: {
    label: "As granted",
    hint: "Each member decides what their assistant may do, within their role.",
  },
};

export function PolicyChoice({ policy }: { policy: AssistantPolicy }) {
  const may = useMay();
  const toast = useToast();
  const set = useAct("assistants.setPolicy", {
    invalidates: ["assistants", "auditEvents"],
    optimistic: (input, memory) =>
      memory.updateAll("assistants.list", (list) => ({ ...list, policy: input.policy })),
  });
  // Shown immediately: the cached list is updated only after pending requests have been cancelled.
  const [wanted, setWanted] = useState<AssistantPolicy | null>(null);
  if (!may("workspace:write")) {
    const { label, hint } = words[policy];
    return (
      <p className="text-quiet">
        Assistants in this workspace: <span className="font-medium text-ink">{label}.</span> {hint}
      </p>
    );
  }
  const choose = async (next: AssistantPolicy) => {
    setWanted(next);
    try {
      await set.run({ policy: next });
      toast({ title: "Saved", detail: "It applies from the next call of each assistant." });
    } finally {
      setWanted((now) => (now === next ? null : now));
    }
  };
  return (
    <FieldGroup legend="Assistants in this workspace">
      {assistantPolicies.map((one) => (
        <Radio
          key={one}
          name="policy"
          value={one}
          {...words[one]}
          checked={(wanted ?? policy) === one}
          onChange={() => void choose(one).catch(() => undefined)}
        />
      ))}
    </FieldGroup>
  );
}
