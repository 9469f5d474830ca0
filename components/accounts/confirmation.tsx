"use client";
import { useState } from "react";
import { problemOf } from "#components/problem.ts";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { FormError } from "#components/ui/form-error.tsx";
import { call } from "#lib/api/client.ts";

/** A click, not the opening of the page, confirms: mail programs open links to look at them. */
export function Confirmation({ token }: { token: string }) {
  const [state, setState] = useState<"asked" | "busy" | "done">("asked");
  const [refused, setRefused] = useState<string | null>(null);
  const confirm = async () => {
    setState("busy");
    try {
      await call("account.confirmSignUp", { token });
      setState("done");
    } catch (error) {
      setRefused(problemOf(error).message);
      setState("asked");
    }
  };
  if (state === "done") {
    return (
      <div role="status" className="grid gap-4">
        <p className="text-base text-quiet">Your workspace is ready.</p>
        <ButtonLink href="/sign-in" variant="primary" size="lg">
          Sign in
        </ButtonLink>
      </div>
    );
  }
  return (
    <>
      <FormError>{refused}</FormError>
      <Button variant="primary" size="lg" busy={state === "busy"} onClick={confirm}>
        Confirm and make the workspace
      </Button>
    </>
  );
}
