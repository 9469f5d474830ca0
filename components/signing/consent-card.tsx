"use client";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { problemOf } from "#components/problem.ts";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/choice.tsx";
import { FormError } from "#components/ui/form-error.tsx";
import { DateTime } from "#components/ui/time.tsx";
import type { CeremonyState } from "#lib/doors/sign-client.ts";
import type { Visit } from "./visit.ts";

/** The text that a signer agrees to before anything can be signed. */
export function ConsentCard({ state, visit }: { state: CeremonyState; visit: Visit }) {
  const [isAgreed, setAgreed] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { consent, sender, message, deadline } = state;
  const agree = async (event: FormEvent) => {
    event.preventDefault();
    if (!consent || isBusy) return;
    if (!isAgreed) return setTrouble("Check the box first: without your consent nothing can be signed here.");
    setBusy(true);
    setTrouble(null);
    await visit.act("consent", { hash: consent.hash }).catch((error) => setTrouble(problemOf(error).message));
    setBusy(false);
  };
  return (
    <form
      onSubmit={agree}
      noValidate
      className="print:hidden mx-auto grid w-full max-w-4xl gap-4 px-4 py-6 sm:px-6"
    >
      <h1 ref={heading} tabIndex={-1} className="font-semibold text-xl tracking-[-0.015em]">
        {sender.name} asks you to sign
      </h1>
      {message && (
        <blockquote className="whitespace-pre-line rounded-lg bg-well px-4 py-3 text-base">
          {message}
        </blockquote>
      )}
      {deadline && (
        <p className="text-base text-quiet">
          It can be signed until <DateTime value={deadline} className="font-medium text-ink" />.
        </p>
      )}
      <section
        aria-label="What you agree to"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it.
        tabIndex={0}
        className="grid max-h-56 gap-2.5 overflow-y-auto rounded-lg border border-line bg-paper px-4 py-3 text-quiet"
      >
        {consent?.text.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </section>
      <FormError>{trouble}</FormError>
      <Checkbox
        className="min-h-8 items-center text-base"
        checked={isAgreed}
        onChange={(event) => {
          setAgreed(event.target.checked);
          setTrouble(null);
        }}
        label="I agree to read and sign electronically."
      />
      <Button type="submit" variant="primary" size="lg" busy={isBusy} className="sm:justify-self-start">
        Agree and continue
      </Button>
    </form>
  );
}
