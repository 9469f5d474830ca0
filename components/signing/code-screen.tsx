"use client";
import { Mail } from "lucide-react";
import { type FormEvent, useState } from "react";
import { problemOf } from "#components/problem.ts";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { FormError } from "#components/ui/form-error.tsx";
import { Input } from "#components/ui/input.tsx";
import { counted } from "#components/words.ts";
import type { CeremonyState } from "#lib/doors/sign-client.ts";
import { Notice } from "./frame.tsx";
import type { Visit } from "./visit.ts";

/** Asks for the code, if the sender requires one: it is e-mailed on request, then entered. */
export function CodeScreen({ state, visit }: { state: CeremonyState; visit: Visit }) {
  const [code, setCode] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const { address = "", expiresAt = null, triesLeft = 0 } = state.code ?? {};
  const isOut = expiresAt !== null && triesLeft > 0;
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    setTrouble(null);
    await work().catch((error) => {
      const { issues, message } = problemOf(error);
      setTrouble(issues.length > 0 ? `The code ${issues[0]?.message}.` : message);
    });
    setBusy(false);
  };
  const verify = (event: FormEvent) => {
    event.preventDefault();
    void run(() => visit.act("verifyCode", { code: code.replace(/\s/g, "") }));
  };
  const send = () => run(() => visit.act("requestCode", {}));
  return (
    <Notice icon={<Mail aria-hidden />} title="Confirm that it is you">
      <p>
        {state.sender.name} asks for a code before the document is shown. It is sent to {address} and is valid
        for ten minutes.
      </p>
      {isOut ? (
        <form onSubmit={verify} noValidate className="grid gap-4 text-ink">
          <FormError>{trouble}</FormError>
          <Field
            label="6-digit code"
            hint={triesLeft < 5 ? `${counted(triesLeft, "more attempt")}.` : undefined}
            required
          >
            <Input
              value={code}
              onChange={(event) => setCode(event.target.value)}
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={7}
              autoFocus
              className="max-w-40 text-lg tabular-nums tracking-[0.2em]"
            />
          </Field>
          <div className="flex flex-wrap gap-2">
            <Button type="submit" variant="primary" size="lg" busy={isBusy}>
              Continue
            </Button>
            <Button size="lg" disabled={isBusy} onClick={send}>
              Send another code
            </Button>
          </div>
        </form>
      ) : (
        <div className="grid justify-items-start gap-4">
          <FormError>{trouble}</FormError>
          <Button variant="primary" size="lg" busy={isBusy} onClick={send}>
            Send the code
          </Button>
        </div>
      )}
      <p>No e-mail? Check your spam folder, then ask {state.sender.name}.</p>
    </Notice>
  );
}
