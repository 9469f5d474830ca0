"use client";
/** What else a signer can do: read or save the document, finish later, delegate, or decline. */
import { Clock, Download, Printer, ThumbsDown, UserRoundPlus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { problemOf } from "#components/problem.ts";
import { Dialog, DialogBody } from "#components/ui/dialog.tsx";
import { FormError } from "#components/ui/form-error.tsx";
import { DateTime } from "#components/ui/time.tsx";
import type { CeremonyState } from "#lib/doors/sign-client.ts";
import { DeclineOrDelegateForm } from "./decline-or-delegate-form.tsx";
import type { Entries } from "./entries.ts";
import { saveFile, showFile } from "./files.ts";
import type { Visit } from "./visit.ts";
import { nameOf } from "./words.ts";

export interface ActionsDialogProps {
  state: CeremonyState;
  visit: Visit;
  entries: Entries;
  onClose(): void;
}

type Step = "choose" | "later" | "delegate" | "decline";

const titles: Record<Step, string> = {
  choose: "More",
  later: "Finish later",
  delegate: "Have someone else sign",
  decline: "Decline to sign",
};

export function ActionsDialog({ state, visit, entries, onClose }: ActionsDialogProps) {
  const [step, setStep] = useState<Step>("choose");
  const [trouble, setTrouble] = useState<string | null>(null);
  const showError = (error: unknown) => setTrouble(problemOf(error).message);
  const file = () => visit.ask("document", {});
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()} title={titles[step]}>
      {step === "choose" && (
        <DialogBody className="grid gap-1">
          <FormError>{trouble}</FormError>
          {state.screen === "sign" && (
            <Choice
              icon={<Clock aria-hidden />}
              title="Finish later"
              onChoose={() => {
                void entries.keep();
                setStep("later");
              }}
            >
              What you entered is kept
            </Choice>
          )}
          <Choice
            icon={<Printer aria-hidden />}
            title="Read or print it"
            onChoose={() => showFile(file()).catch(showError)}
          >
            Opens the PDF in a new tab
          </Choice>
          <Choice
            icon={<Download aria-hidden />}
            title="Download it"
            onChoose={() => saveFile(file()).catch(showError)}
          >
            The document as it is before anyone signs
          </Choice>
          <Choice
            icon={<UserRoundPlus aria-hidden />}
            title={titles.delegate}
            onChoose={() => setStep("delegate")}
          >
            They get a link of their own, and yours stops working
          </Choice>
          <Choice
            icon={<ThumbsDown aria-hidden />}
            title={titles.decline}
            isDanger
            onChoose={() => setStep("decline")}
          >
            Ends the request for everyone
          </Choice>
        </DialogBody>
      )}
      {step === "later" && (
        <DialogBody className="grid gap-3 text-base">
          <SavingStatus entries={entries} />
          {state.deadline && (
            <p>
              It can be signed until <DateTime value={state.deadline} className="font-medium" />.
            </p>
          )}
        </DialogBody>
      )}
      {(step === "delegate" || step === "decline") && (
        <DeclineOrDelegateForm way={step} state={state} visit={visit} onClose={onClose} />
      )}
    </Dialog>
  );
}

/** Says whether the page can be closed yet or, if not, what is not saved. */
function SavingStatus({ entries: { fields, errorOf, saving, trouble } }: { entries: Entries }) {
  const refused = fields.find((field) => errorOf(field) !== undefined);
  return (
    <p role="status">
      {refused
        ? `Not saved yet: ${nameOf(refused)} ${errorOf(refused)}. Change it, so that it can be saved.`
        : saving === "failed"
          ? `Not saved yet: keep this page open. ${trouble ?? "It is saved as soon as there is a connection."}`
          : saving === "saving"
            ? "Saving what you entered …"
            : "Everything that you entered is saved. Close this page whenever you like, and open the link in your e-mail to continue."}
    </p>
  );
}

interface ChoiceProps {
  icon: ReactNode;
  title: string;
  isDanger?: boolean;
  onChoose(): void;
  children: ReactNode;
}

function Choice({ icon, title, isDanger, onChoose, children }: ChoiceProps) {
  return (
    <button
      type="button"
      onClick={onChoose}
      className="-mx-2 flex items-center gap-3 rounded-md px-2 py-2.5 text-left hover:bg-hover [&_svg]:size-5 [&_svg]:shrink-0"
    >
      <span className={isDanger ? "text-danger" : "text-quiet"}>{icon}</span>
      <span>
        <span className={isDanger ? "font-medium text-base text-danger" : "font-medium text-base"}>
          {title}
        </span>
        <span className="block text-quiet">{children}</span>
      </span>
    </button>
  );
}
