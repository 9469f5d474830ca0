"use client";
/** One signer: their progress, and the available actions. */
import { BellRing, Check, Link2, PenLine, UserPen } from "lucide-react";
import { useId, useState } from "react";
import { useAct } from "#components/query.tsx";
import { useMay, useSession } from "#components/session.tsx";
import { Badge, type Tone } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { copied } from "#components/ui/copy.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { inWords } from "#components/words.ts";
import { isOutForSignature, type SignerStatus, signersOnTurn, whyNoLink } from "#lib/signatures/lifecycle.ts";
import { colorOf } from "../colors.ts";
import { type Envelope, type EnvelopeSigner, useRequestAction } from "../request-actions.ts";
import { SignerTimeline } from "./signer-timeline.tsx";

const CorrectDialog = lazily(() => import("./correct-dialog.tsx").then((module) => module.CorrectDialog));
const LinkDialog = lazily(() => import("./link-dialog.tsx").then((module) => module.LinkDialog));

const tones: Record<SignerStatus, Tone> = {
  PENDING: "neutral",
  NOTIFIED: "info",
  VIEWED: "review",
  SIGNED: "good",
  DECLINED: "bad",
  DELEGATED: "neutral",
  EXPIRED: "warn",
  CANCELLED: "neutral",
};

const words: Partial<Record<SignerStatus, string>> = {
  PENDING: "Not asked yet",
  NOTIFIED: "Asked",
  VIEWED: "Viewed",
};

export function SignerItem({ signer, envelope }: { signer: EnvelopeSigner; envelope: Envelope }) {
  const may = useMay();
  const isOnTurn =
    isOutForSignature(envelope.status) && signersOnTurn(envelope).some(({ id }) => id === signer.id);
  const isOpen = !signer.signedAt && !signer.declinedAt && !signer.delegatedAt;
  const index = envelope.signers.indexOf(signer);
  return (
    <li className="rounded-lg border border-line p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span
          aria-hidden
          style={{ background: colorOf(index).line }}
          className="grid size-6 shrink-0 place-items-center rounded-full font-semibold text-2xs text-[#fff] tabular-nums"
        >
          {signer.signedAt ? <Check className="size-3.5" /> : signer.orderIndex + 1}
        </span>
        <div className="min-w-0 flex-1 basis-48">
          <p className="break-words font-semibold">{signer.name}</p>
          <p className="break-words text-quiet text-xs">
            {signer.email}
            {signer.codeRequired && ", asked for a code by e-mail"}
          </p>
        </div>
        {isOnTurn && <span className="font-medium text-accent text-xs">Their turn</span>}
        <Badge tone={tones[signer.status]} dot>
          {words[signer.status] ?? inWords(signer.status)}
        </Badge>
      </div>
      <SignerTimeline signer={signer} envelope={envelope} />
      {may("signatures:write") && isOutForSignature(envelope.status) && isOpen && (
        <SignerActions signer={signer} sentById={envelope.sentById} isOnTurn={isOnTurn} />
      )}
    </li>
  );
}

function SignerActions({
  signer,
  sentById,
  isOnTurn,
}: {
  signer: EnvelopeSigner;
  sentById: string | null;
  isOnTurn: boolean;
}) {
  const toast = useToast();
  const { user, role } = useSession();
  const noLink = whyNoLink(signer, sentById, { id: user.id, role });
  const reasonId = useId();
  const [isCorrecting, setCorrecting] = useState(false);
  const [byHand, setByHand] = useState<string | null>(null);
  const { id: signerId, envelopeId } = signer;
  const remind = useRequestAction("signatures.remind");
  const link = useAct("signatures.copyLink", {
    invalidates: ["signatures.events", "signatures.progress", "contracts.activity"],
  });
  const ownLink = useAct("signatures.openOwnLink", { invalidates: ["signatures.events"] });
  const remindOne = async () => {
    await remind.run({ envelopeId, signerId });
    toast({ title: "Reminded", detail: `An e-mail goes to ${signer.email}.` });
  };
  const copy = async () => {
    const { url } = await link.run({ envelopeId, signerId });
    if (!(await copied(url))) return setByHand(url);
    toast({
      title: "Link copied",
      detail: `Whoever has it can sign as ${signer.name}, who is notified by e-mail that you copied it.`,
    });
  };
  const sign = async () => {
    const { url } = await ownLink.run({ envelopeId, signerId });
    window.location.assign(url);
  };
  const quietly = (work: () => Promise<unknown>) => () => void work().catch(() => undefined);
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {isOnTurn && signer.userId === user.id && (
        <Button size="sm" variant="primary" busy={ownLink.isRunning} onClick={quietly(sign)}>
          <PenLine aria-hidden />
          Sign now
        </Button>
      )}
      {isOnTurn && (
        <Button
          size="sm"
          busy={remind.isRunning}
          onClick={quietly(remindOne)}
          aria-label={`Remind ${signer.name}`}
        >
          <BellRing aria-hidden />
          Remind
        </Button>
      )}
      <Button
        size="sm"
        busy={link.isRunning}
        disabled={noLink !== null}
        aria-describedby={noLink === null ? undefined : reasonId}
        onClick={quietly(copy)}
        aria-label={`Copy the signing link of ${signer.name}`}
      >
        <Link2 aria-hidden />
        Copy the signing link
      </Button>
      <Button size="sm" onClick={() => setCorrecting(true)} aria-label={`Correct ${signer.name}`}>
        <UserPen aria-hidden />
        Correct
      </Button>
      {noLink !== null && (
        <p id={reasonId} className="basis-full break-words text-quiet text-xs">
          {noLink}
        </p>
      )}
      {isCorrecting && <CorrectDialog signer={signer} onClose={() => setCorrecting(false)} />}
      {byHand && <LinkDialog name={signer.name} url={byHand} onClose={() => setByHand(null)} />}
    </div>
  );
}
