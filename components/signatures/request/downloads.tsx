"use client";
import { Download } from "lucide-react";
import { useState } from "react";
import { problemOf, refusalToast } from "#components/problem.ts";
import { useInvalidate } from "#components/query.tsx";
import { Button } from "#components/ui/button.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { call } from "#lib/doors/client.ts";
import type { Watched } from "../request-actions.ts";

type Variant = "signed" | "unsigned";

/** The PDFs of a request. Downloads are recorded in its history. */
export function Downloads({ envelope }: { envelope: Watched }) {
  const toast = useToast();
  const invalidate = useInvalidate();
  const [busy, setBusy] = useState<Variant | null>(null);
  const { id: envelopeId, signedVersionId, hasUnsignedPdf } = envelope;
  const download = async (variant: Variant) => {
    setBusy(variant);
    try {
      const { url } = await call("signatures.pdf", { envelopeId, variant });
      window.location.assign(url);
      await invalidate(["signatures.events"]);
    } catch (error) {
      toast(refusalToast(problemOf(error)));
    } finally {
      setBusy(null);
    }
  };
  if (!signedVersionId && !hasUnsignedPdf) return null;
  return (
    <div className="grid gap-2 border-line border-t pt-4">
      {signedVersionId && (
        <Button variant="primary" busy={busy === "signed"} onClick={() => void download("signed")}>
          <Download aria-hidden />
          Download the signed PDF
        </Button>
      )}
      {hasUnsignedPdf && (
        <Button busy={busy === "unsigned"} onClick={() => void download("unsigned")}>
          <Download aria-hidden />
          Download the unsigned PDF
        </Button>
      )}
    </div>
  );
}
