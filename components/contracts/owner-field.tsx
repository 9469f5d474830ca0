"use client";
import { useOperation } from "#components/query.tsx";
import { useMay, useSession } from "#components/session.tsx";
import { Combobox } from "#components/ui/combobox.tsx";
import { inWords } from "#components/words.ts";

/** Chooses the member who looks after a contract. */
export function OwnerField({
  label,
  value,
  onValue,
  className,
}: {
  /** Its name, where no Field gives one. */
  label?: string;
  value: string | null;
  onValue(id: string | null): void;
  className?: string;
}) {
  const { user } = useSession();
  const may = useMay();
  const { data } = useOperation("members.list", {}, { enabled: may("members:read") });
  const members = data?.data ?? [
    { userId: user.id, name: user.name, email: user.email, role: "member" as const },
  ];
  return (
    <Combobox
      what="owner"
      label={label}
      className={className}
      value={value}
      onValue={onValue}
      options={members.map(({ userId, name, email, role }) => ({
        value: userId,
        label: name,
        hint: `${email}, ${inWords(role)}`,
      }))}
    />
  );
}
