"use client";
import { useOperation } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { Combobox } from "#components/ui/combobox.tsx";
import { inWords } from "#components/words.ts";

/** Selects a member who can approve. */
export function ApproverField({
  label,
  value,
  onValue,
  without,
  placeholder = "Choose someone",
}: {
  /** The accessible name, if it is not inside a Field. */
  label?: string;
  value: string | null;
  onValue(person: { id: string; name: string }): void;
  /** User ids to exclude. */
  without: readonly string[];
  placeholder?: string;
}) {
  const may = useMay();
  const { data } = useOperation("members.list", {}, { enabled: may("members:read") });
  const members = (data?.data ?? []).filter(
    ({ role, userId }) => role !== "viewer" && !without.includes(userId),
  );
  return (
    <Combobox
      what="member"
      placeholder={placeholder}
      {...(label ? { label } : {})}
      value={value}
      onValue={(id) => {
        const member = members.find(({ userId }) => userId === id);
        if (member) onValue({ id: member.userId, name: member.name });
      }}
      options={members.map(({ userId, name, email, role }) => ({
        value: userId,
        label: name,
        hint: `${email}, ${inWords(role)}`,
      }))}
    />
  );
}
