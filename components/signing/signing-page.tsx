"use client";
/** The page of a signing link: opens the link, then shows the screen that the state calls for. */
import { Unlink } from "lucide-react";
import { useEffect } from "react";
import { ErrorState, Skeleton } from "#components/ui/states.tsx";
import type { CeremonyState } from "#lib/doors/sign-client.ts";
import { MemberWorkspaceContext } from "./back-link.tsx";
import { CodeScreen } from "./code-screen.tsx";
import { DocumentScreen } from "./document-screen.tsx";
import { Declined, Delegated, Expired, NotYourTurn, Voided } from "./endings.tsx";
import { Frame, Notice } from "./frame.tsx";
import { Completed, Done } from "./outcome.tsx";
import { useVisit, type Visit } from "./visit.ts";

export interface SigningPageProps {
  token: string;
  /** The workspace that the reader is signed in to, if any. */
  memberOf: string | null;
}

export function SigningPage({ token, memberOf }: SigningPageProps) {
  return (
    <MemberWorkspaceContext value={memberOf}>
      <Ceremony token={token} />
    </MemberWorkspaceContext>
  );
}

function Ceremony({ token }: { token: string }) {
  const visit = useVisit(token);
  const { state, problem, reopen } = visit;
  useEffect(() => {
    // Most visitors come to sign: preload the page view before it is known to be needed.
    void import("./page-view.tsx");
  }, []);
  if (problem?.code === "not_found") {
    return (
      <Frame state={null}>
        <Notice icon={<Unlink aria-hidden />} tone="bad" title="This link cannot be used">
          <p>{problem.message}</p>
        </Notice>
      </Frame>
    );
  }
  if (problem && !state) {
    return (
      <Frame state={null}>
        <ErrorState
          title="The request could not be opened"
          message={problem.message}
          requestId={problem.requestId}
          onRetry={reopen}
        />
      </Frame>
    );
  }
  if (!state) return <Opening />;
  if (state.screen === "consent" || state.screen === "sign")
    return <DocumentScreen state={state} visit={visit} />;
  return (
    <Frame state={state}>
      <Screen key={state.screen} state={state} visit={visit} />
    </Frame>
  );
}

function Screen({ state, visit }: { state: CeremonyState; visit: Visit }) {
  switch (state.screen) {
    case "not-your-turn":
      return <NotYourTurn state={state} />;
    case "code":
      return <CodeScreen state={state} visit={visit} />;
    case "done":
      return <Done state={state} visit={visit} />;
    case "completed":
      return <Completed state={state} visit={visit} />;
    case "declined":
      return <Declined state={state} />;
    case "voided":
      return <Voided state={state} />;
    case "expired":
      return <Expired state={state} />;
    default:
      return <Delegated state={state} />;
  }
}

function Opening() {
  return (
    <Frame state={null}>
      <div role="status" aria-label="Opening the document …" className="grid gap-4">
        <Skeleton className="h-7 w-2/3" />
        <Skeleton className="h-4 w-full" />
        <Skeleton className="h-4 w-4/5" />
        <Skeleton className="mt-4 h-40 w-full" />
      </div>
    </Frame>
  );
}
