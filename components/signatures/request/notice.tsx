"use client";
/** What stands out about a request: that it is a draft, why it ended, or what its sealing waits for. */
import { clsx } from "clsx";
import type { ReactNode } from "react";
import { useMay } from "#components/session.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { DateTime } from "#components/ui/time.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { counted } from "#components/words.ts";
import { useRequestAct, type Watched } from "../acts.ts";

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

export function Notice({ envelope }: { envelope: Watched }) {
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
        Nobody but members of the workspace knows of it.
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
        {expiredAt && <DateTime value={expiredAt} />} Extend it, and signing goes on where it stopped.
      </Box>
    );
  }
  if (status === "COMPLETED") {
    return (
      <Box look="good" title="Everybody has signed, and it is sealed">
        {completedAt && <DateTime value={completedAt} />}
      </Box>
    );
  }
  return null;
}

function SealingNotice({ envelope }: { envelope: Watched }) {
  const may = useMay();
  const toast = useToast();
  const retry = useRequestAct("signatures.retrySealing");
  const { sealing } = envelope;
  const again = async () => {
    await retry.run({ envelopeId: envelope.id });
    toast({ title: "Sealing is tried again now" });
  };
  const action = may("signatures:write") && sealing?.error && (
    <Button busy={retry.isRunning} onClick={() => void again().catch(() => undefined)}>
      Retry now
    </Button>
  );
  return (
    <Box
      look={sealing?.error ? "bad" : "calm"}
      title={sealing?.error ? "It could not be sealed yet" : "Everybody has signed; it is being sealed"}
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
        </>
      ) : (
        "That takes some seconds. All signatures are kept."
      )}
    </Box>
  );
}
