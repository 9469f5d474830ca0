import type { Metadata } from "next";
import NextLink from "next/link";
import { Logo } from "#components/shell/logo.tsx";
import { VerifyPage } from "#components/verification/verify-page.tsx";

export const metadata: Metadata = { title: "Check a signed document" };

export default function Page() {
  return (
    <main className="mx-auto max-w-2xl px-4 py-8 sm:py-12">
      <NextLink href="/" className="inline-block rounded-md">
        <Logo className="text-base" />
      </NextLink>
      <h1 className="mt-8 font-semibold text-2xl tracking-[-0.02em]">Check a signed document</h1>
      <p className="mt-2 mb-6 max-w-prose text-pretty text-base text-quiet">
        Find out whether a PDF was signed and sealed here, and whether it has changed since. The file is only
        checked, never stored.
      </p>
      <VerifyPage />
    </main>
  );
}
