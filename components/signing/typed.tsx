"use client";
/** Inputs for text that is rendered as handwriting, with a preview of the stamp. */
import { clsx } from "clsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import type { Preview } from "./pictures.ts";
import { StampPicture } from "./written.tsx";

interface TypedProps {
  text: string;
  preview: Preview;
  onText(text: string): void;
}

export function TypedName({ text, preview, onText }: TypedProps) {
  return (
    <>
      <Field label="Your name" required error={preview.problem ?? undefined}>
        <Input
          value={text}
          onChange={(event) => onText(event.target.value)}
          maxLength={100}
          autoComplete="name"
        />
      </Field>
      <StampPreview preview={preview} className="h-24 px-6 py-3" />
    </>
  );
}

export function TypedInitials({ text, preview, onText, isFirst }: TypedProps & { isFirst: boolean }) {
  return (
    <div className="grid gap-2">
      <Field label="Initials" required error={preview.problem ?? undefined}>
        <Input
          value={text}
          onChange={(event) => onText(event.target.value)}
          maxLength={10}
          autoComplete="off"
          autoFocus={isFirst}
          className="max-w-32"
        />
      </Field>
      <StampPreview preview={preview} className="h-14 max-w-48 px-4 py-1.5" />
    </div>
  );
}

function StampPreview({ preview: { picture, trouble }, className }: { preview: Preview; className: string }) {
  return (
    <div
      className={clsx(
        "on-paper grid items-center rounded-lg border border-line bg-paper text-ink",
        className,
      )}
    >
      {trouble ? (
        <p role="status" className="text-quiet text-xs">
          {trouble}
        </p>
      ) : (
        picture && <StampPicture picture={picture} className="size-full min-h-0" />
      )}
    </div>
  );
}
