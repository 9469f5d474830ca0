"use client";
/** The text of the e-mail to the signers, and the deadline for signing. */
import { useRef, useState } from "react";
import { Field } from "#components/ui/field.tsx";
import { DateInput, Input, Textarea } from "#components/ui/input.tsx";
import { useNow } from "#components/ui/now.tsx";
import { useZone } from "#components/ui/time.tsx";
import { dayIn, endOfDay } from "../deadline.ts";
import type { Envelope } from "../request-actions.ts";
import { useResume } from "../resume.ts";
import type { Saving } from "../saving.ts";

export interface MailPartProps {
  envelope: Envelope;
  saving: Saving;
  /** Whether the user was sent here to set the deadline. */
  isDeadlineWanted: boolean;
}

interface Mail {
  subject: string;
  message: string;
  /** A day, as in the date input. */
  deadline: string;
}

export function MailPart({ envelope, saving, isDeadlineWanted }: MailPartProps) {
  const zone = useZone();
  const [entered] = useState(() => saving.enteredIn<Mail>("mail"));
  const [subject, setSubject] = useState(entered?.subject ?? envelope.subject);
  const [message, setMessage] = useState(entered?.message ?? envelope.message ?? "");
  const [deadline, setDeadline] = useState(() => entered?.deadline ?? dayIn(envelope.deadline, zone));
  const latest = useRef<Mail>({ subject, message, deadline });
  const change = (part: Partial<Mail>) => {
    latest.current = { ...latest.current, ...part };
    saving.changed("mail", {
      patch: () => {
        const { subject: said, message: text, deadline: day } = latest.current;
        if (said.trim() === "") return undefined;
        return { subject: said.trim(), message: text.trim() || null, deadline: endOfDay(day, zone) };
      },
      entered: () => latest.current,
    });
  };
  useResume(entered, change);
  const isPast = useNow((now) => deadline !== "" && (endOfDay(deadline, zone) ?? "") <= now);
  return (
    <section aria-label="The e-mail" className="grid gap-4">
      <h2 className="font-semibold text-base">The e-mail</h2>
      <Field
        label="Subject"
        required
        error={subject.trim() === "" ? "is required" : undefined}
        hint="Shown in e-mails and on the signers' pages."
      >
        <Input
          value={subject}
          maxLength={200}
          onChange={(event) => {
            setSubject(event.target.value);
            change({ subject: event.target.value });
          }}
        />
      </Field>
      <Field label="Message" optional>
        <Textarea
          value={message}
          maxLength={5000}
          onChange={(event) => {
            setMessage(event.target.value);
            change({ message: event.target.value });
          }}
        />
      </Field>
      <Field
        label="Last day to sign"
        optional
        className="max-w-60"
        error={isPast ? "is in the past" : undefined}
        hint={`Until the end of that day (${zone}). Without one it stays open.`}
      >
        <DateInput
          value={deadline}
          autoFocus={isDeadlineWanted}
          onChange={(event) => {
            setDeadline(event.target.value);
            change({ deadline: event.target.value });
          }}
        />
      </Field>
    </section>
  );
}
