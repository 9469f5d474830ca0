"use client";
import { useOperation } from "#components/query.tsx";
import { useMay, useSession } from "#components/session.tsx";
import { Combobox } from "#components/ui/combobox.tsx";
import { inWords } from "#components/words.ts";

/** Chooses the member who looks after a contract, or something of it. */
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
  /** Its name, where no Field gives one. */
  label?: string;
  value: string | null;
  /** Who it is, where the list is not here yet or does not have them any more. */
  name?: string;
  onValue(id: string | null): void;
  className?: string;
  /** What they are chosen as. */
  what?: string;
  placeholder?: string;
  clearable?: boolean;
  /** Who cannot be chosen. */
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
