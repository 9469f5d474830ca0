"use client";
import { useOperation } from "#components/query.tsx";
import { useMay, useSession } from "#components/session.tsx";
import { Combobox } from "#components/ui/combobox.tsx";
import { inWords } from "#components/words.ts";

/** Selects a member, such as the owner of a contract. */
export function OwnerField({
  label,
  value,
  name,
  onValue,
  className,
  what = "owner",
  placeholder = "Choose an owner",
  clearable = false,
  without,
}: {
  /** The accessible name, if it is not inside a Field. */
  label?: string;
  value: string | null;
  /** The selected person's name, in case the list is not loaded yet or no longer contains them. */
  name?: string;
  onValue(id: string | null): void;
  className?: string;
  /** What the person is selected as. */
  what?: string;
  placeholder?: string;
  clearable?: boolean;
  /** The id of a user to exclude. */
  without?: string;
}) {
  const { user } = useSession();
  const may = useMay();
  const { data } = useOperation("members.list", {}, { enabled: may("members:read") });
  const members = data?.data ?? [
    { userId: user.id, name: user.name, email: user.email, role: "member" as const },
  ];
  const options = members
    .filter(({ userId }) => userId !== without)
    .map(({ userId, name, email, role }) => ({
      value: userId,
      label: name,
      hint: `${email}, ${inWords(role)}`,
    }));
  const isListed = options.some((option) => option.value === value);
  const known = value && name && !isListed ? [{ value, label: name, hint: undefined }] : [];
  return (
    <Combobox
      what={what}
      placeholder={placeholder}
      clearable={clearable}
      label={label}
      className={className}
      value={value}
      onValue={onValue}
      options={[...known, ...options]}
    />
  );
}
