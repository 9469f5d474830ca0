"use client";
/** The error page for failures outside every layout. Replaces Next's own, which is larger and worded differently. */
import "./globals.css";

export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="en">
      <body className="font-sans">
        <title>Countersign</title>
        <main role="alert" className="mx-auto max-w-sm px-5 py-[14vh]">
          <h1 className="font-semibold text-xl">This page could not be shown</h1>
          <p className="mt-1.5 text-base text-quiet">
            Something went wrong on our side. Load the page again; if it keeps happening, tell the operator
            {error.digest ? ` this number: ${error.digest}.` : "."}
          </p>
          <button
            type="button"
            onClick={() => window.location.reload()}
            className="mt-6 h-8 rounded-md bg-accent px-3 font-medium text-on-accent"
          >
            Load the page again
          </button>
        </main>
      </body>
    </html>
  );
}
