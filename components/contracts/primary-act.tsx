"use client";
/** The next step that a contract's status calls for, shown to members who may take it. */
import { Check, Eye, FilePen, FilePlus2, ListChecks, PenLine, RotateCcw, Send } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useRecentVersions } from "#components/documents/recent.ts";
import { useOperation } from "#components/query.tsx";
import { useMay, useSession } from "#components/session.tsx";
import { useToday } from "#components/today.ts";
import { Button, buttonClass } from "#components/ui/button.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import type { ContractStatus } from "#lib/contracts/lifecycle.ts";
import type { Contract } from "#lib/contracts/schema.ts";
import { dayOf, daysBetween } from "#lib/core/dates.ts";
import { isOutForSignature } from "#lib/signatures/lifecycle.ts";
import { useMove } from "./move.ts";

/** Loaded on demand, because it includes the form library. */
const TermDialog = lazily(() => import("./term-dialog.tsx").then((module) => module.TermDialog));

export function PrimaryAct({ contract }: { contract: Contract }) {
  switch (contract.status) {
    case "DRAFT":
    case "NEGOTIATING":
      return (
        <WithDocument contract={contract}>
          <Move contract={contract} to="IN_REVIEW" icon={<Eye aria-hidden />} label="Send for review" />
        </WithDocument>
      );
    case "IN_REVIEW":
      return (
        <WithApproval contract={contract}>
          <Move contract={contract} to="APPROVED" icon={<Check aria-hidden />} label="Approve" />
        </WithApproval>
      );
    case "APPROVED":
      return (
        <WithDocument contract={contract}>
          <WithApproval contract={contract}>
            <SendForSignature contract={contract} />
          </WithApproval>
        </WithDocument>
      );
    case "OUT_FOR_SIGNATURE":
      return <OpenRequest contract={contract} />;
    case "EXECUTED":
      return contract.effectiveDate === null ? (
        <EditTerm contract={contract} label="Set the dates" />
      ) : (
        <Amend contract={contract} />
      );
    case "ACTIVE":
    case "EXPIRED":
      return <Renew contract={contract} />;
    case "CANCELLED":
      return <Move contract={contract} to="DRAFT" icon={<RotateCcw aria-hidden />} label="Reopen as draft" />;
    case "TERMINATED":
      return null;
  }
}

interface MoveProps {
  contract: Contract;
  to: ContractStatus;
  icon: ReactNode;
  label: string;
}

function Move({ contract, to, icon, label }: MoveProps) {
  const may = useMay();
  const moveTo = useMove(contract);
  const [isMoving, setMoving] = useState(false);
  if (!may("contracts:write")) return null;
  const move = async () => {
    setMoving(true);
    await moveTo(to).catch(() => undefined);
    setMoving(false);
  };
  return (
    <Button variant="primary" busy={isMoving} onClick={() => void move()}>
      {icon}
      {label}
    </Button>
  );
}

/** A contract without a document cannot be reviewed or signed: adding one comes first. */
function WithDocument({ contract, children }: { contract: Contract; children: ReactNode }) {
  const may = useMay();
  const { data } = useRecentVersions(contract.id);
  if (!may("contracts:write") || !data) return null;
  if (data.total > 0) return children;
  return (
    <a href="#documents" className={buttonClass("primary")}>
      <FilePlus2 aria-hidden />
      Add a document
    </a>
  );
}

/** Approvals that rules require and that are still missing come first. */
function WithApproval({ contract, children }: { contract: Contract; children: ReactNode }) {
  const may = useMay();
  const { user } = useSession();
  const { data } = useOperation("approvals.ofContract", { id: contract.id });
  if (!may("contracts:write") || !data) return null;
  if (!data.isNeeded) return children;
  const isRequested = data.approval !== null && data.approval.outcome === null;
  const isAsked = isRequested && data.approval?.currentApprovers.some(({ id }) => id === user.id);
  return (
    <a href="#approval" className={buttonClass("primary")}>
      <ListChecks aria-hidden />
      {isAsked ? "Approve or send back" : isRequested ? "See the approval" : "Request approval"}
    </a>
  );
}

function SendForSignature({ contract }: { contract: Contract }) {
  const may = useMay();
  if (!may("signatures:write")) return null;
  return (
    <ButtonLink variant="primary" href={`/contracts/${contract.id}/send`}>
      <Send aria-hidden />
      Send for signature
    </ButtonLink>
  );
}

/** Leads to signing if it is the member's turn, otherwise to the progress of the request. */
function OpenRequest({ contract }: { contract: Contract }) {
  const { user } = useSession();
  const { data } = useOperation("signatures.listOfContract", { id: contract.id });
  const request = data?.data.find(({ status }) => isOutForSignature(status) || status === "SEALING");
  if (!request) return null;
  const isMyTurn = request.signers.some(
    ({ userId, status }) => userId === user.id && (status === "NOTIFIED" || status === "VIEWED"),
  );
  return (
    <ButtonLink variant="primary" href={`/signatures/${request.id}`}>
      {isMyTurn ? <PenLine aria-hidden /> : <Eye aria-hidden />}
      {isMyTurn ? "Sign" : "See the signature request"}
    </ButtonLink>
  );
}

/** The number of days before the end from which extending the term is the next step. */
const soonDays = 90;

function Renew({ contract }: { contract: Contract }) {
  const today = useToday();
  const { expiresAt, autoRenews, status } = contract;
  const left = expiresAt === null ? null : daysBetween(today, dayOf(new Date(expiresAt)));
  const hasEnded = left !== null && left < 0;
  if (status === "EXPIRED" && !hasEnded) {
    return (
      <Move contract={contract} to="ACTIVE" icon={<RotateCcw aria-hidden />} label="Make active again" />
    );
  }
  if (status === "ACTIVE" && (autoRenews || left === null || left > soonDays)) {
    return <Amend contract={contract} />;
  }
  return <EditTerm contract={contract} label="Extend the term" />;
}

function EditTerm({ contract, label }: { contract: Contract; label: string }) {
  const may = useMay();
  const [isEditing, setEditing] = useState(false);
  if (!may("contracts:write")) return null;
  return (
    <>
      <Button variant="primary" onClick={() => setEditing(true)}>
        <RotateCcw aria-hidden />
        {label}
      </Button>
      {isEditing && <TermDialog contract={contract} onClose={() => setEditing(false)} />}
    </>
  );
}

/** A contract in force needs no next step; it can be amended by another contract. */
function Amend({ contract }: { contract: Contract }) {
  const may = useMay();
  if (!may("contracts:write")) return null;
  return (
    <ButtonLink href={`/contracts/new?amends=${contract.id}`}>
      <FilePen aria-hidden />
      Create an amendment
    </ButtonLink>
  );
}
