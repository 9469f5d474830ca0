"use client";
/** The most important fact about a request: that it is a draft, why it ended, or what its sealing waits for. */
import { clsx } from "clsx";
import { type ReactNode, useState } from "react";
import { useMay } from "#components/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { DateTime } from "#components/ui/time.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { counted } from "#components/words.ts";
import { type Envelope, useRequestAction } from "../request-actions.ts";

const VoidDialog = lazily(() => import("./void-dialog.tsx").then((module) => module.VoidDialog));

const looks = {
  calm: "bg-well",
  warn: "bg-tone-warn text-on-warn",
  bad: "bg-tone-bad text-on-bad",
  good: "bg-tone-good text-on-good",
};

function Box({
  look,
  title,
  action,
  children,
}: {
  look: keyof typeof looks;
  title: string;
  action?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <section
      aria-label={title}
      className={clsx("flex flex-wrap items-center gap-x-4 gap-y-3 rounded-lg px-4 py-3", looks[look])}
    >
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-semibold">{title}</p>
        {children && <div className="break-words">{children}</div>}
      </div>
      {action}
    </section>
  );
}

export function Notice({ envelope }: { envelope: Envelope }) {
  const may = useMay();
  const { status, signers, voidReason, voidedAt, expiredAt, completedAt } = envelope;
  if (status === "DRAFT") {
    const action = may("signatures:write") && (
      <ButtonLink variant="primary" href={`/signatures/${envelope.id}/edit`}>
        Continue the draft
      </ButtonLink>
    );
    return (
      <Box look="calm" title="It has not been sent" action={action}>
        Only members of the workspace can see it.
      </Box>
    );
  }
  if (status === "SEALING") return <SealingNotice envelope={envelope} />;
  if (status === "DECLINED") {
    const decliner = signers.find(({ declinedAt }) => declinedAt !== null);
    return (
      <Box look="bad" title={`${decliner?.name ?? "A signer"} declined`}>
        {decliner?.declineReason ? `“${decliner.declineReason}”` : "No reason was given."}
        {decliner?.declinedAt && (
          <>
            {" "}
            <DateTime value={decliner.declinedAt} className="text-xs" />
          </>
        )}
      </Box>
    );
  }
  if (status === "VOIDED") {
    return (
      <Box look="calm" title="It was voided">
        {voidReason ? `“${voidReason}” ` : ""}
        {voidedAt && <DateTime value={voidedAt} className="text-xs" />}
      </Box>
    );
  }
  if (status === "EXPIRED") {
    return (
      <Box look="warn" title="The deadline has passed">
        {expiredAt && <DateTime value={expiredAt} />} Extend it, and signing continues where it stopped.
      </Box>
    );
  }
  if (status === "COMPLETED") {
    return (
      <Box look="good" title="Everyone has signed, and it is sealed">
        {completedAt && <DateTime value={completedAt} />}
      </Box>
    );
  }
  return null;
}

function SealingNotice({ envelope }: { envelope: Envelope }) {
  const may = useMay();
  const toast = useToast();
  const retry = useRequestAction("signatures.retrySealing");
  const [isEnding, setEnding] = useState(false);
  const { sealing } = envelope;
  const again = async () => {
    await retry.run({ envelopeId: envelope.id });
    toast({ title: "Retrying now" });
  };
  const action = may("signatures:write") && sealing?.error && (
    <span className="flex flex-wrap gap-2">
      <Button busy={retry.isRunning} onClick={() => void again().catch(() => undefined)}>
        Retry now
      </Button>
      {may("workspace:write") && (
        <Button variant="danger" onClick={() => setEnding(true)}>
          End the request
        </Button>
      )}
      {isEnding && <VoidDialog by="signatures.end" envelope={envelope} onClose={() => setEnding(false)} />}
    </span>
  );
  return (
    <Box
      look={sealing?.error ? "bad" : "calm"}
      title={sealing?.error ? "It could not be sealed yet" : "Everyone has signed; it is being sealed"}
      action={action}
    >
      {sealing?.error ? (
        <>
          {sealing.error} Tried {counted(sealing.attempts, "time")}
          {sealing.triedAt && (
            <>
              , last <DateTime value={sealing.triedAt} />
            </>
          )}
          .
          {sealing.nextAttemptAt && (
            <>
              {" "}
              The next try is at <DateTime value={sealing.nextAttemptAt} />.
            </>
          )}
          {!may("workspace:write") &&
            " If it cannot be sealed at all, an owner or admin can end the request."}
        </>
      ) : (
        "This takes a few seconds. All signatures are kept."
      )}
    </Box>
  );
}
