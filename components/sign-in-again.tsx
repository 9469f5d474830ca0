"use client";
/** Asks the user to sign in again, over a page whose session has ended, so that everything typed stays. */
import { type FormEvent, useCallback, useEffect, useState } from "react";
import { problemOf } from "#components/problem.ts";
import { useSession } from "#components/session.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog, DialogBody, DialogFooter } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { FormDialog } from "#components/ui/form-dialog.tsx";
import { Input } from "#components/ui/input.tsx";
import { linkClass } from "#components/ui/link.tsx";
import { PasswordInput } from "#components/ui/password-input.tsx";
import { ApiProblem, call, type PageOf } from "#lib/doors/client.ts";
import { signIn } from "#lib/doors/session-client.ts";

export interface SignInAgainProps {
  pageOf: PageOf;
  /** Whether the session now belongs to someone else, or to another workspace. */
  isSomebodyElse: boolean;
  /** Called when the page's user is signed in to the page's workspace again. */
  onBack(): void;
  onSomebodyElse(): void;
  onClose(): void;
}

export function SignInAgain({ isSomebodyElse, ...rest }: SignInAgainProps) {
  return isSomebodyElse ? <SomebodyElse onClose={rest.onClose} /> : <SignedOut {...rest} />;
}

type Who = "the person" | "someone else" | "nobody";

/** Returns who is signed in now. If it is the page's user, switches back to the page's workspace. */
async function currentSession({ userId, organizationId }: PageOf): Promise<Who> {
  try {
    const { profile } = await call("profile.read", {});
    if (profile.id !== userId) return "someone else";
    await call("workspaces.switch", { organizationId });
    return "the person";
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error;
    if (error.code === "signed_out") return "nobody";
    if (error.code === "not_found") window.location.assign("/workspaces");
    throw error;
  }
}

function SignedOut({ pageOf, onBack, onSomebodyElse, onClose }: Omit<SignInAgainProps, "isSomebodyElse">) {
  const { user } = useSession();
  const [password, setPassword] = useState("");
  const [wrong, setWrong] = useState<{ password?: string; all?: string }>({});
  const [busy, setBusy] = useState(false);
  const checkSession = useCallback(async () => {
    const who = await currentSession(pageOf);
    if (who === "the person") onBack();
    if (who === "someone else") onSomebodyElse();
  }, [pageOf, onBack, onSomebodyElse]);
  // The user may have signed in in another tab.
  useEffect(() => {
    const onReturn = () => void (document.hidden || checkSession().catch(() => undefined));
    document.addEventListener("visibilitychange", onReturn);
    window.addEventListener("focus", onReturn);
    return () => {
      document.removeEventListener("visibilitychange", onReturn);
      window.removeEventListener("focus", onReturn);
    };
  }, [checkSession]);
  const submit = async (event: FormEvent) => {
    // In the component tree, this form is inside the page's form, which must not be submitted.
    event.stopPropagation();
    if (password === "") {
      setWrong({ password: "must not be empty" });
      return;
    }
    setBusy(true);
    setWrong({});
    try {
      await signIn({ email: user.email, password });
      await checkSession();
    } catch (error) {
      setWrong({ all: problemOf(error).message });
    } finally {
      setBusy(false);
    }
  };
  return (
    <FormDialog
      title="Sign in again"
      description="Your session has ended. What you typed is still on the page and will be sent once you sign in."
      error={wrong.all}
      action="Sign in"
      busy={busy}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="E-mail address">
        <Input name="email" type="email" autoComplete="username" value={user.email} readOnly />
      </Field>
      <Field label="Password" error={wrong.password} required>
        <PasswordInput
          name="password"
          autoComplete="current-password"
          autoFocus
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
      </Field>
      <p className="text-quiet">
        Without a password,{" "}
        <a href="/sign-in" target="_blank" rel="noreferrer" className={linkClass}>
          sign in in another tab
        </a>{" "}
        and come back. If you are not {user.name},{" "}
        <a href="/sign-in" className={linkClass}>
          leave this page
        </a>
        ; what was typed in it is not sent.
      </p>
    </FormDialog>
  );
}

function SomebodyElse({ onClose }: { onClose(): void }) {
  const { user } = useSession();
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="This page belongs to another session"
      description={`It was opened by ${user.name}. Since then someone else has signed in in this browser, or another workspace was chosen.`}
    >
      <DialogBody>
        <p>What was typed here was not sent. Copy what you want to keep before you go on.</p>
      </DialogBody>
      <DialogFooter>
        <Button onClick={onClose}>Stay on this page</Button>
        <Button variant="primary" onClick={() => window.location.assign("/home")}>
          Go to Home
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
