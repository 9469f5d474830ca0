import { redirect } from "next/navigation";
import { Logo } from "#components/shell/logo.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { linkClass } from "#components/ui/link.tsx";
import { settings } from "#lib/core/env.ts";
import { currentMember } from "#lib/doors/page.ts";

const example = (address: string) => `curl -s -H "x-api-key: csk_…" \\
  "${address}/api/v1/contracts?status=ACTIVE"`;

const endpoints = [
  ["GET /contracts", "search, filter and sort contracts, 50 a page with the exact total"],
  [
    "POST /contracts/{id}/status",
    "move a contract through its lifecycle; a move that is not allowed says why",
  ],
  ["PUT /contracts/{id}/anchors", "set dates and term; obligations resolve themselves again"],
  ["GET /obligations", "what is overdue, due and upcoming, in order"],
  ["GET /audit-events", "every change, who made it, newest first"],
];

export default async function Start() {
  const member = await currentMember();
  if (member === "no_workspace") redirect("/workspaces");
  if (member !== "signed_out") redirect("/home");
  return (
    <div className="mx-auto max-w-2xl px-5">
      <header className="flex items-center py-6">
        <Logo className="text-base" />
        <ButtonLink href="/sign-in" className="ml-auto">
          Sign in
        </ButtonLink>
      </header>
      <main className="grid gap-10 pt-[8vh] pb-16">
        <div>
          <h1 className="font-semibold text-2xl tracking-[-0.02em]">
            Every contract, its dates and its signatures.
          </h1>
          <p className="mt-3 max-w-prose text-pretty text-lg text-quiet">
            This workspace server is running. Contracts, counterparties, obligations with dates that resolve
            themselves, and an audit log that proves itself: in the browser, and behind one REST API.
          </p>
          <ButtonLink href="/sign-in" variant="primary" size="lg" className="mt-6">
            Sign in
          </ButtonLink>
        </div>
        <section aria-labelledby="api" className="grid gap-3">
          <h2 id="api" className="font-semibold text-lg">
            Use the API
          </h2>
          <p className="text-base text-quiet">
            Send your API key in the <code className="font-mono text-sm">x-api-key</code> header. The first
            start printed one for the demo workspace.
          </p>
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls on a phone, and the keyboard must reach it.
            tabIndex={0}
            className="overflow-x-auto rounded-lg border border-line bg-paper p-4 font-mono text-xs"
          >
            <code>{example(settings().BASE_URL)}</code>
          </pre>
          <dl className="mt-2 divide-y divide-line rounded-lg border border-line bg-paper px-4">
            {endpoints.map(([endpoint, meaning]) => (
              <div key={endpoint} className="grid gap-x-4 py-2.5 sm:grid-cols-[15rem_1fr]">
                <dt className="font-mono text-xs leading-5">{endpoint}</dt>
                <dd className="text-quiet">{meaning}</dd>
              </div>
            ))}
          </dl>
          <p className="text-quiet">
            All of it, with schemas and examples, is in the{" "}
            <a className={linkClass} href="/api/v1/openapi.json">
              API description
            </a>
            . Anyone can{" "}
            <a className={linkClass} href="/verify">
              check a signed PDF
            </a>
            . The server's health is at{" "}
            <a className={linkClass} href="/readyz">
              /readyz
            </a>
            .
          </p>
        </section>
      </main>
    </div>
  );
}
