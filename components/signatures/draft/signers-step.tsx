"use client";
/** Who signs, in which order, until when, and what the e-mail says. */
import { UserPlus, Users } from "lucide-react";
import { useRef, useState } from "react";
import { useOperation } from "#components/query.tsx";
import { useSession } from "#components/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { Combobox } from "#components/ui/combobox.tsx";
import { Segments } from "#components/ui/segments.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { type Place, useFocusTarget } from "../place.ts";
import type { Envelope } from "../request-actions.ts";
import { useResume } from "../resume.ts";
import type { Saving } from "../saving.ts";
import { MailPart } from "./mail-part.tsx";
import { useReorder } from "./reorder.ts";
import { SignerCard } from "./signer-card.tsx";
import {
  moveRow,
  newKey,
  rowErrors,
  rowsFrom,
  type SignerRow,
  signersFrom,
  turnsOf,
  withIds,
} from "./signer-rows.ts";

export interface SignersStepProps {
  envelope: Envelope;
  saving: Saving;
  place: Place | null;
}

export function SignersStep({ envelope, saving, place }: SignersStepProps) {
  const [entered] = useState(() => saving.enteredIn<SignerRow[]>("signers"));
  const [rows, setRows] = useState(() => entered ?? rowsFrom(envelope));
  const [order, setOrder] = useState<"order" | "parallel">(() =>
    rows.length > 1 && rows.slice(1).every(({ together }) => together) ? "parallel" : "order",
  );
  const [announcement, setAnnouncement] = useState("");
  const current = useRef(rows);

  const change = (next: SignerRow[]) => {
    current.current = next;
    setRows(next);
    let sent = next;
    saving.changed("signers", {
      patch: () => {
        sent = current.current;
        const signers = signersFrom(sent);
        return signers && { signers };
      },
      onSaved: (saved) => {
        current.current = withIds(current.current, sent, saved);
        setRows(current.current);
      },
      entered: () => current.current,
    });
  };
  useResume(entered, change);
  const revise = (key: string, part: Partial<SignerRow>) =>
    change(current.current.map((row) => (row.key === key ? { ...row, ...part } : row)));
  const add = (row: Pick<SignerRow, "name" | "email" | "userId" | "counterpartyContactId">) =>
    change([
      ...current.current,
      { key: newKey(), codeRequired: false, together: order === "parallel", ...row },
    ]);
  const move = (from: number, to: number) => {
    const row = current.current[from];
    if (!row || to < 0 || to >= current.current.length) return;
    change(moveRow(current.current, from, to));
    setAnnouncement(`${row.name || "The signer"} is now number ${to + 1} of ${current.current.length}.`);
  };
  const drag = useReorder(move);
  useFocusTarget(place, true, {
    signer: (index) =>
      drag.list.current?.children[index]?.querySelector<HTMLElement>("input[type=email]")?.focus(),
  });
  const problem = saving.state.kind === "failed" ? saving.state.problem : null;
  const turns = turnsOf(rows);
  return (
    <div className="mx-auto grid max-w-3xl gap-8 px-4 py-6 md:px-6">
      <section aria-label="Signers" className="grid gap-3">
        <div className="flex flex-wrap items-center gap-3">
          <h2 className="mr-auto font-semibold text-base">Who signs?</h2>
          {rows.length > 1 && (
            <Segments
              label="Order"
              value={order}
              options={[
                { value: "order", label: "One after another" },
                { value: "parallel", label: "All at once" },
              ]}
              onValue={(value) => {
                setOrder(value);
                change(rows.map((row) => ({ ...row, together: value === "parallel" })));
              }}
            />
          )}
        </div>
        {rows.length === 0 ? (
          <EmptyState icon={Users} title="No signers yet" compact>
            Add members of the workspace, contacts of the counterparty, or anyone with an e-mail address.
          </EmptyState>
        ) : (
          <ol ref={drag.list} className="grid gap-2">
            {rows.map((row, index) => (
              <SignerCard
                key={row.key}
                row={row}
                index={index}
                count={rows.length}
                turn={order === "order" ? turns[index]! + 1 : null}
                isDragged={drag.dragged === index}
                wrong={{
                  ...serverErrors(problem?.issues ?? [], index),
                  ...visibleErrors(row, problem !== null || saving.missing.includes("signers")),
                }}
                onChange={(part) => revise(row.key, part)}
                onRemove={() => change(current.current.filter(({ key }) => key !== row.key))}
                onMove={(to) => move(index, to)}
                onGrab={(event) => drag.grab(event, index)}
              />
            ))}
          </ol>
        )}
        <p aria-live="polite" className="sr-only">
          {announcement}
        </p>
        <AddSigner envelope={envelope} rows={rows} onAdd={add} />
        {problem && (
          <p role="alert" className="text-danger text-xs">
            {problem.issues.length > 0 ? "Fix the marked fields to save." : problem.message}
            {problem.requestId && ` (Request ${problem.requestId})`}
          </p>
        )}
      </section>
      <MailPart envelope={envelope} saving={saving} isDeadlineWanted={place?.part === "deadline"} />
    </div>
  );
}

/** Returns the errors to show. While someone types, that is only a space in an address. */
function visibleErrors(row: SignerRow, all: boolean): { name?: string; email?: string } {
  const { name, email } = rowErrors(row);
  return {
    ...(name && all ? { name } : {}),
    ...(email && (all || (row.email !== "" && row.email.includes(" "))) ? { email } : {}),
  };
}

function serverErrors(issues: readonly { path: string; message: string }[], index: number) {
  const of = (field: string) => issues.find(({ path }) => path === `signers.${index}.${field}`)?.message;
  const name = of("name");
  const email = of("email") ?? of("userId") ?? of("counterpartyContactId");
  return { ...(name ? { name } : {}), ...(email ? { email } : {}) };
}

interface AddSignerProps {
  envelope: Envelope;
  rows: SignerRow[];
  onAdd(row: Pick<SignerRow, "name" | "email" | "userId" | "counterpartyContactId">): void;
}

function AddSigner({ envelope, rows, onAdd }: AddSignerProps) {
  const { user } = useSession();
  const contract = useOperation("contracts.read", { id: envelope.contractId }).data?.contract;
  const counterpartyId = contract?.counterpartyId ?? "";
  const contacts = useOperation("contacts.list", { id: counterpartyId }, { enabled: counterpartyId !== "" });
  const members = useOperation("members.list", {});
  // The counterparty's contacts come first: there are many colleagues, but most signers are not among them.
  const people = [
    ...(contacts.data?.data ?? [])
      .toSorted((one, other) => Number(other.isPrimary) - Number(one.isPrimary))
      .map(({ id, name, email }) => ({
        ...{ value: `contact ${id}`, name, email, userId: null, counterpartyContactId: id },
        label: name,
        hint: `${email}, ${contract?.counterparty?.name ?? "contact"}`,
      })),
    ...(members.data?.data ?? []).map(({ userId, name, email }) => ({
      ...{ value: `member ${userId}`, name, email, userId, counterpartyContactId: null },
      label: userId === user.id ? `${name} (you)` : name,
      hint: `${email}, member`,
    })),
  ];
  const used = new Set(rows.flatMap((row) => [row.userId, row.counterpartyContactId]));
  const open = people.filter(
    ({ userId, counterpartyContactId }) => !used.has(userId ?? counterpartyContactId),
  );
  const other = (typed = "") => {
    const isAddress = typed.includes("@");
    onAdd({
      ...{ userId: null, counterpartyContactId: null },
      ...{ name: isAddress ? "" : typed, email: isAddress ? typed : "" },
    });
  };
  return (
    <div className="flex flex-wrap gap-2">
      <Combobox
        what="signer"
        aria-label="Add a member or a contact"
        placeholder="Add a member or a contact"
        className="min-w-64 flex-1"
        value={null}
        options={open}
        onCreate={other}
        onValue={(value) => {
          const person = open.find((one) => one.value === value);
          if (!person) return;
          const { name, email, userId, counterpartyContactId } = person;
          onAdd({ name, email, userId, counterpartyContactId });
        }}
      />
      <Button onClick={() => other()}>
        <UserPlus aria-hidden />
        Someone else
      </Button>
    </div>
  );
}
