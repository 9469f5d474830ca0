"use client";
/** What a signer was sent and did, in order. */
import { DateTime } from "#components/ui/time.tsx";
import { counted } from "#components/words.ts";
import type { Envelope, EnvelopeSigner } from "../request-actions.ts";

const templates: Record<string, string> = {
  "signing-request": "Request",
  "signing-code": "Code",
  "signing-link-copied": "Notice of the copied link",
  "signing-completed": "Signed copy",
  "signing-voided": "Notice of the voiding",
  "signing-declined": "Notice of the decline",
};

interface Moment {
  at: string;
  text: string;
  isBad?: boolean;
}

export function SignerTimeline({ signer, envelope }: { signer: EnvelopeSigner; envelope: Envelope }) {
  const delegate = envelope.signers.find(({ id }) => id === signer.delegatedToId);
  const moments: (Moment | null)[] = [
    ...signer.mails.map((mail) => mailMoment(mail)),
    signer.viewedAt ? { at: signer.viewedAt, text: "Opened the document" } : null,
    signer.consentAt ? { at: signer.consentAt, text: "Agreed to sign electronically" } : null,
    signer.signedAt
      ? {
          at: signer.signedAt,
          text: `Signed as ${signer.signedName ?? signer.name}${signer.signatureKind ? `, ${signer.signatureKind}` : ""}${signer.signedIp ? `, from ${signer.signedIp}` : ""}`,
        }
      : null,
    signer.declinedAt
      ? {
          at: signer.declinedAt,
          text: `Declined${signer.declineReason ? `: “${signer.declineReason}”` : ""}`,
          isBad: true,
        }
      : null,
    signer.delegatedAt
      ? {
          at: signer.delegatedAt,
          text: `Delegated to ${delegate?.name ?? "someone else"}${signer.delegateReason ? `: “${signer.delegateReason}”` : ""}`,
        }
      : null,
  ];
  const known = moments.filter((moment) => moment !== null).toSorted((a, b) => a.at.localeCompare(b.at));
  if (known.length === 0) return null;
  return (
    <ul
      aria-label={`History of ${signer.name}`}
      className="mt-3 grid gap-1.5 border-line border-l-2 pl-3 ml-2.5"
    >
      {known.map(({ at, text, isBad }) => (
        <li key={`${at} ${text}`} className="flex flex-wrap gap-x-3">
          <span
            className={
              isBad
                ? "min-w-0 flex-1 basis-56 break-words text-danger"
                : "min-w-0 flex-1 basis-56 break-words"
            }
          >
            {text}
          </span>
          <DateTime value={at} className="text-quiet text-xs" />
        </li>
      ))}
    </ul>
  );
}

/** Describes an e-mail's state. SENT is all that a mail server reports; whether anyone read it is unknown. */
function mailMoment({
  template,
  address,
  state,
  attempts,
  error,
  createdAt,
  sentAt,
}: EnvelopeSigner["mails"][number]): Moment {
  const what = templates[template] ?? "E-mail";
  if (state === "SENT")
    return { at: sentAt ?? createdAt, text: `${what} to ${address}: accepted by the mail server` };
  if (state === "FAILED") {
    return {
      at: createdAt,
      text: `${what} to ${address} failed after ${counted(attempts, "attempt")}: ${error ?? "no reason was given"}`,
      isBad: true,
    };
  }
  const sofar = attempts > 0 ? `, tried ${counted(attempts, "time")}${error ? `: ${error}` : ""}` : "";
  return { at: createdAt, text: `${what} to ${address}: waiting to be sent${sofar}`, isBad: attempts > 0 };
}
