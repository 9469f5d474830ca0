"use client";
/** A contract's approval: who must approve it, who has approved, and the available actions. */
import { MessageSquareWarning } from "lucide-react";
import NextLink from "next/link";
import { useState } from "react";
import { useAct, useOperation } from "#components/query.tsx";
import { useMay, useSession } from "#components/session.tsx";
import { Badge, type Tone } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, Section } from "#components/ui/card.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { linkClass } from "#components/ui/link.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import { Ago } from "#components/ui/time.tsx";
import { useToast } from "#components/ui/toast.tsx";
import type { Approval, ContractApproval as Found } from "#lib/approvals/schema.ts";
import type { Contract } from "#lib/contracts/schema.ts";
import { EarlierApprovals } from "./earlier.tsx";
import { Steps, UpcomingSteps } from "./steps.tsx";
import { invalidatedByApproval } from "./words.ts";

const SendBackDialog = lazily(() => import("./answer-dialogs.tsx").then((module) => module.SendBackDialog));
const DelegateDialog = lazily(() => import("./answer-dialogs.tsx").then((module) => module.DelegateDialog));

/** The interval for loading other members' answers. */
const everyMs = 15_000;

const reviewable = ["DRAFT", "IN_REVIEW", "NEGOTIATING", "APPROVED"];

export function ContractApproval({ contract }: { contract: Contract }) {
  const { data, error, refetch } = useOperation("approvals.ofContract", { id: contract.id }, { everyMs });
  if (error && !data) {
    return (
      <Section id="approval" title="Approval">
        <Card>
          <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />
        </Card>
      </Section>
    );
  }
  // Show nothing if no rule applies and approval was never requested.
  if (!data || (data.rules.length === 0 && !data.approval)) return null;
  const isOver = !reviewable.includes(contract.status);
  if (isOver && !data.approval) return null;
  const status = statusOf(data, isOver);
  return (
    <Section id="approval" title="Approval" hint={status && <Badge tone={status.tone}>{status.label}</Badge>}>
      <Card className="grid gap-4 p-4">
        {data.approval && <Latest contractId={contract.id} approval={data.approval} />}
        {!isOver && <Present contract={contract} found={data} />}
        {data.earlier.length > 0 && <EarlierApprovals contractId={contract.id} earlier={data.earlier} />}
      </Card>
    </Section>
  );
}

function statusOf(
  { isNeeded, approval, rules }: Found,
  isOver: boolean,
): { label: string; tone: Tone } | null {
  if (approval?.outcome === null) return { label: "Waiting", tone: "review" };
  if (approval?.outcome === "SENT_BACK") return { label: "Sent back", tone: "bad" };
  if (isNeeded && !isOver) return { label: "Needed", tone: "warn" };
  if (approval?.outcome === "APPROVED" || rules.length > 0) return { label: "Approved", tone: "good" };
  return null;
}

/** The latest request and its progress. */
function Latest({ contractId, approval }: { contractId: string; approval: Approval }) {
  const { version, requestedBy, requestedAt, outcome, reason, endedBy, endedAt } = approval;
  return (
    <div className="grid gap-3">
      <p className="text-quiet text-sm [overflow-wrap:anywhere]">
        {version ? (
          <NextLink
            prefetch={false}
            className={linkClass}
            href={`/contracts/${contractId}/versions/${version.id}`}
          >
            Version {version.versionNumber}
          </NextLink>
        ) : (
          "No document yet"
        )}
        {" · requested by "}
        {requestedBy.name} · <Ago value={requestedAt} />
      </p>
      <Steps approval={approval} />
      {outcome === "SENT_BACK" && (
        <div className="flex gap-2.5 rounded-md bg-well p-3">
          <MessageSquareWarning aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
          <p className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">{reason}</p>
        </div>
      )}
      {outcome === "WITHDRAWN" && endedBy && endedAt && (
        <p className="text-quiet text-xs [overflow-wrap:anywhere]">
          {endedBy.name} withdrew the request · <Ago value={endedAt} />
        </p>
      )}
    </div>
  );
}

/** The available actions; if approval is needed but not requested yet, the steps to come. */
function Present({ contract, found }: { contract: Contract; found: Found }) {
  const may = useMay()("contracts:write");
  const { approval, isNeeded, rules, steps } = found;
  if (approval?.outcome === null) {
    return (
      <>
        {approval.currentApprovers.length === 0 && (
          <p className="text-quiet text-sm">
            {contract.archivedAt === null
              ? "Approval is paused while the contract is not in review. Move it back to review to continue."
              : "Approval is paused while the contract is archived. Unarchive it to continue."}
          </p>
        )}
        {may && <Answers approval={approval} />}
      </>
    );
  }
  if (!isNeeded) return null;
  const why = new Intl.ListFormat("en-GB").format(rules.map((name) => `“${name}”`));
  return (
    <>
      <div className="grid gap-2">
        <p className="text-quiet text-sm [overflow-wrap:anywhere]">
          {rules.length === 1 ? "The rule" : "The rules"} {why} {rules.length === 1 ? "requires" : "require"}
          approval by
        </p>
        <UpcomingSteps steps={steps} />
      </div>
      {may && <RequestButton contract={contract} isAgain={approval !== null} />}
    </>
  );
}

function RequestButton({ contract, isAgain }: { contract: Contract; isAgain: boolean }) {
  const toast = useToast();
  const request = useAct("approvals.request", { invalidates: invalidatedByApproval });
  const run = async () => {
    await request.run({ id: contract.id });
    toast({ title: "Approval requested" });
  };
  return (
    <div>
      <Button variant="primary" busy={request.isRunning} onClick={() => void run().catch(() => undefined)}>
        {isAgain ? "Request approval again" : "Request approval"}
      </Button>
    </div>
  );
}

/** The actions for approvers, and for those who may withdraw the request: its author, owners and admins. */
function Answers({ approval: { id, step, currentApprovers, requestedBy } }: { approval: Approval }) {
  const { user, role } = useSession();
  const toast = useToast();
  const [asking, setAsking] = useState<"sendBack" | "delegate" | null>(null);
  const approve = useAct("approvals.approve", { invalidates: invalidatedByApproval });
  const withdraw = useAct("approvals.withdraw", { invalidates: invalidatedByApproval });
  const isAsked = currentApprovers.some((person) => person.id === user.id);
  const mayWithdraw = requestedBy.id === user.id || role === "owner" || role === "admin";
  if (!isAsked && !mayWithdraw) return null;
  const run = (act: Promise<unknown>, title: string) =>
    void act.then(
      () => toast({ title }),
      () => undefined,
    );
  return (
    <div className="flex flex-wrap gap-2">
      {isAsked && (
        <>
          <Button
            variant="primary"
            busy={approve.isRunning}
            onClick={() => run(approve.run({ id, step }), "Approved")}
          >
            Approve
          </Button>
          <Button onClick={() => setAsking("sendBack")}>Send back</Button>
          <Button onClick={() => setAsking("delegate")}>Delegate</Button>
        </>
      )}
      {mayWithdraw && (
        <Button
          variant="quiet"
          busy={withdraw.isRunning}
          onClick={() => run(withdraw.run({ id }), "Request withdrawn")}
        >
          Withdraw the request
        </Button>
      )}
      {asking === "sendBack" && <SendBackDialog id={id} step={step} onClose={() => setAsking(null)} />}
      {asking === "delegate" && <DelegateDialog id={id} step={step} onClose={() => setAsking(null)} />}
    </div>
  );
}
