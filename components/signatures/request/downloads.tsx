"use client";
import { Download } from "lucide-react";
import { useState } from "react";
import { useAct } from "#components/query.tsx";
import { Button } from "#components/ui/button.tsx";
import { download } from "#components/ui/download.ts";
import type { Envelope } from "../request-actions.ts";

type Variant = "signed" | "unsigned";

/** The PDFs of a request. Downloads are recorded in its history. */
export function Downloads({ envelope }: { envelope: Envelope }) {
  const link = useAct("signatures.pdf", { invalidates: ["signatures.events"] });
  const [busy, setBusy] = useState<Variant | null>(null);
  const { id: envelopeId, signedVersionId, hasUnsignedPdf } = envelope;
  const request = async (variant: Variant) => {
    setBusy(variant);
    // A refusal is shown as a toast.
    const found = await link.run({ envelopeId, variant }).catch(() => null);
    if (found) download(found.url);
    setBusy(null);
  };
  if (!signedVersionId && !hasUnsignedPdf) return null;
  return (
    <div className="grid gap-2 border-line border-t pt-4">
      {signedVersionId && (
        <Button variant="primary" busy={busy === "signed"} onClick={() => void request("signed")}>
          <Download aria-hidden />
          Download the signed PDF
        </Button>
      )}
      {hasUnsignedPdf && (
        <Button busy={busy === "unsigned"} onClick={() => void request("unsigned")}>
          <Download aria-hidden />
          Download the unsigned PDF
        </Button>
      )}
    </div>
  );
}
