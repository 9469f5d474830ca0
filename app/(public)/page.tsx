import { ButtonLink } from "#components/ui/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { settings } from "#lib/env.ts";

const example = (address: string) => `curl -s -H "x-api-key: csk_…" \\
  "${address}/api/v1/contracts?status=ACTIVE"`;

/** The address is the server's own: it is known when it runs, not when it is built. */
export const dynamic = "force-dynamic";

export default function Start() {
  return (
    <main className="mx-auto max-w-xl px-5 py-16">
      <h1 className="font-semibold text-2xl">Contracts, from the first draft to the last date.</h1>
      <ButtonLink href="/sign-in" variant="primary">
        Sign in
      </ButtonLink>
      <Link href="/api/v1/openapi.json">API description</Link>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls on a phone, and the keyboard must reach it. */}
      <pre tabIndex={0}>
        <code>{example(settings().BASE_URL)}</code>
      </pre>
    </main>
  );
}
