"use client";
import { clsx } from "clsx";
import { CircleCheck, CircleMinus, CircleX, ShieldCheck, ShieldX } from "lucide-react";
import { useEffect, useRef } from "react";
import { DefinitionList } from "#components/ui/bits.tsx";
import { Card, Section } from "#components/ui/card.tsx";
import { DateTime } from "#components/ui/time.tsx";
import { inWords } from "#components/words.ts";
import type { OutputOf } from "#lib/doors/client.ts";

export type Verification = OutputOf<"verification.check">["verification"];
type Check = Verification["checks"][number];
type Evidence = NonNullable<Verification["evidence"]>;

const questions: Record<Check["name"], string> = {
  sealed: "Is it sealed?",
  whole_file: "Does the seal cover the whole file?",
  unchanged: "Is it unchanged since?",
  signature: "Is the seal genuine?",
  profile: "Does the seal follow the standard?",
  certificate: "Was the certificate valid?",
  timestamp: "Is the time certified?",
  evidence: "Does it say what was signed, and by whom?",
  events: "Are its events intact?",
  issued_here: "Was it issued here?",
};

/** The result of checking a file: a verdict, the single checks, and what the file says about itself. */
export function VerificationResult({
  fileName,
  verification,
}: {
  fileName: string;
  verification: Verification;
}) {
  const { ok, checks, evidence } = verification;
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new result is announced.
  useEffect(() => heading.current?.focus(), [verification]);
  return (
    <div className="grid gap-6">
      <div
        className={clsx(
          "flex items-start gap-4 rounded-xl p-5",
          ok ? "bg-tone-good text-on-good" : "bg-tone-bad text-on-bad",
        )}
      >
        {ok ? (
          <ShieldCheck aria-hidden className="size-8 shrink-0" />
        ) : (
          <ShieldX aria-hidden className="size-8 shrink-0" />
        )}
        <div className="min-w-0">
          <h2 ref={heading} tabIndex={-1} className="font-semibold text-lg">
            {ok ? "Valid: signed, sealed and unchanged" : "Do not rely on this file"}
          </h2>
          <p className="break-words">{fileName}</p>
          {!ok && <p>{checks.find(({ holds }) => holds === false)?.says}</p>}
        </div>
      </div>
      <Section title="What was checked">
        <Card>
          <ul className="divide-y divide-line">
            {checks.map((check) => (
              <CheckRow key={check.name} check={check} />
            ))}
          </ul>
        </Card>
      </Section>
      {evidence && <EvidenceSection evidence={evidence} verification={verification} />}
    </div>
  );
}

function CheckRow({ check: { name, holds, says } }: { check: Check }) {
  const icon = "mt-0.5 size-5 shrink-0";
  return (
    <li className="flex gap-3 px-4 py-3">
      {holds === null ? (
        <CircleMinus aria-label="Not checked" className={clsx(icon, "text-faint")} />
      ) : holds ? (
        <CircleCheck aria-label="Yes" className={clsx(icon, "text-on-good")} />
      ) : (
        <CircleX aria-label="No" className={clsx(icon, "text-danger")} />
      )}
      <div className="min-w-0">
        <p className="font-medium">{questions[name]}</p>
        <p className="break-words text-quiet">{says}</p>
      </div>
    </li>
  );
}

function EvidenceSection({ evidence, verification }: { evidence: Evidence; verification: Verification }) {
  const { organization, envelope, document, signers } = evidence;
  const { sealedAt, certificate, sha256 } = verification;
  return (
    <Section title="What the document says">
      <Card className="grid gap-5 p-4">
        <DefinitionList
          className="sm:grid-cols-2"
          items={[
            { term: "Title", value: envelope.title },
            { term: "Sent by", value: organization.name },
            { term: "Document", value: document.fileName },
            { term: "Request", value: <Hash text={envelope.id} /> },
            { term: "Sent", value: envelope.sentAt ? <DateTime value={envelope.sentAt} /> : "–" },
            {
              term: "Signed by all",
              value: envelope.completedAt ? <DateTime value={envelope.completedAt} /> : "–",
            },
            { term: "Sealed", value: sealedAt ? <DateTime value={sealedAt} /> : "–" },
            { term: "Sealed with", value: certificate ? certificate.name : "–" },
          ]}
        />
        <div>
          <h3 className="mb-1 text-faint text-xs">Signers</h3>
          <ul className="divide-y divide-line border-line border-y">
            {signers.map(({ id, name, email, status, signedAt }) => (
              <li key={id} className="flex flex-wrap items-baseline gap-x-3 py-2">
                <span className="font-medium">{name}</span>
                <span className="min-w-0 break-all text-quiet">{email}</span>
                <span className="text-quiet text-xs sm:ml-auto">
                  {signedAt ? (
                    <>
                      signed <DateTime value={signedAt} />
                    </>
                  ) : (
                    inWords(status)
                  )}
                </span>
              </li>
            ))}
          </ul>
        </div>
        {certificate && (
          <div className="rounded-lg bg-well p-3">
            <h3 className="text-faint text-xs">Fingerprint of the sealing certificate (SHA-256)</h3>
            <Hash text={certificate.fingerprint} />
            <p className="mt-1 text-quiet text-xs">
              Anyone can create a certificate in any name: compare this with the fingerprint that{" "}
              {organization.name} publishes.
            </p>
          </div>
        )}
        <DefinitionList
          items={[
            { term: "SHA-256 of this file", value: <Hash text={sha256} /> },
            { term: "SHA-256 of the document as it was uploaded", value: <Hash text={document.sha256} /> },
            {
              term: "SHA-256 of the PDF that everyone was shown",
              value: <Hash text={document.pdfSha256} />,
            },
            {
              term: "SHA-256 of the PDF with everything filled in",
              value: <Hash text={document.stampedSha256} />,
            },
          ]}
        />
      </Card>
    </Section>
  );
}

function Hash({ text }: { text: string }) {
  return <code className="break-all font-mono text-xs">{text}</code>;
}
