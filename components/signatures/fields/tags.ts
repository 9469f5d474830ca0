"use client";
import { useToast } from "#components/ui/toast.tsx";
import { counted } from "#components/words.ts";
import { type Envelope, useRequestAction } from "../request-actions.ts";
import type { Saving } from "../saving.ts";
import type { FieldHistory } from "./history.ts";
import { placedFrom } from "./placed.ts";

interface TagsOptions {
  envelope: Envelope;
  saving: Saving;
  history: FieldHistory;
}

/** Places fields on the document's tags, such as `{{signature:1}}`, and reports how many. */
export function useTags({ envelope, saving, history }: TagsOptions) {
  const toast = useToast();
  const anchors = useRequestAction("signatures.placeAnchors");
  const place = async () => {
    if (!(await saving.flush())) return;
    const { placed, unknown, envelope: found } = await anchors.run({ envelopeId: envelope.id });
    saving.follow(found);
    if (placed > 0) history.change(placedFrom(found));
    toast({
      title: placed > 0 ? `${counted(placed, "field")} placed on tags` : "No tags were found to place",
      detail: detailOf(placed, unknown),
    });
  };
  return { isPlacing: anchors.isRunning, place: () => void place().catch(() => undefined) };
}

function detailOf(placed: number, unknown: readonly string[]): string | undefined {
  if (unknown.length > 0) return `No signer has this number: ${unknown.join(", ")}`;
  if (placed > 0) return;
  return "Write a tag such as {{signature:1}} in the document to ask for a field, here the first signer's signature.";
}
