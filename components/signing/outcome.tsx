"use client";
/** The screens after signing: waiting for others, being sealed, and the signed PDF. */
import { CircleCheck, Download, FileText } from "lucide-react";
import { useState } from "react";
import { problemOf } from "#components/problem.ts";
import { Progress } from "#components/ui/bits.tsx";
import { Button } from "#components/ui/button.tsx";
import { FormError } from "#components/ui/form-error.tsx";
import { linkClass } from "#components/ui/link.tsx";
import type { CeremonyState } from "#lib/doors/sign-client.ts";
import { saveFile, showFile } from "./files.ts";
import { Notice } from "./frame.tsx";
import { People } from "./people.tsx";
import type { Visit } from "./visit.ts";
import { joinNames, pendingSigners } from "./words.ts";

interface OutcomeProps {
  state: CeremonyState;
  visit: Visit;
}

export function Done({ state, visit }: OutcomeProps) {
  const isSealing = state.people.every(({ hasSigned }) => hasSigned);
  return (
    <Notice icon={<CircleCheck aria-hidden />} tone="good" title="You have signed">
      {isSealing ? (
        <div className="grid gap-3" role="status">
          <p>Everyone has signed. The document is being sealed: the download appears here in a moment.</p>
          <Progress label="Sealing the document" />
        </div>
      ) : (
        <p>
          {joinNames(pendingSigners(state))} still {pendingSigners(state).length > 1 ? "have" : "has"} to
          sign. When everyone has, you get an e-mail with a link to the signed PDF; you can close this page.
        </p>
      )}
      <People people={state.people} />
      <FileButton label="Read the document" run={() => showFile(visit.ask("document", {}))} />
    </Notice>
  );
}

export function Completed({ state, visit }: OutcomeProps) {
  return (
    <Notice icon={<CircleCheck aria-hidden />} tone="good" title="Signed and sealed">
      <p>
        Everyone has signed. The PDF contains every signature, a completion certificate, and a seal that shows
        whether it was changed. Keep a copy: this link works only for a limited time.
      </p>
      <FileButton label="Download the signed PDF" isPrimary run={() => saveFile(visit.ask("download", {}))} />
      <p>
        Anyone who has it can{" "}
        <a className={linkClass} href="/verify">
          check that it is unchanged
        </a>
        .
      </p>
      <People people={state.people} />
    </Notice>
  );
}

function FileButton({ label, isPrimary, run }: { label: string; isPrimary?: boolean; run(): Promise<void> }) {
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const click = async () => {
    setBusy(true);
    setTrouble(null);
    await run().catch((error) => setTrouble(problemOf(error).message));
    setBusy(false);
  };
  return (
    <div className="grid justify-items-start gap-3">
      <Button variant={isPrimary ? "primary" : "secondary"} size="lg" busy={isBusy} onClick={click}>
        {isPrimary ? <Download aria-hidden /> : <FileText aria-hidden />}
        {label}
      </Button>
      <FormError>{trouble}</FormError>
    </div>
  );
}
