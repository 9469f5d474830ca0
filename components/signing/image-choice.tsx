"use client";
import { type ChangeEvent, useEffect, useRef, useState } from "react";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { canvasOf } from "./images.ts";

interface ImageChoiceProps {
  /** Called as soon as a file is chosen, with a promise that resolves to null if the file cannot be read. */
  onImage(reading: Promise<HTMLCanvasElement | null>): void;
}

/** Reads the image of a signature from a file. */
export function ImageChoice({ onImage }: ImageChoiceProps) {
  const frame = useRef<HTMLDivElement>(null);
  const [image, setImage] = useState<HTMLCanvasElement | null>(null);
  const [error, setError] = useState<string>();
  const [isReading, setReading] = useState(false);
  const latest = useRef<Promise<HTMLCanvasElement | null>>(null);
  useEffect(() => {
    if (image) frame.current?.replaceChildren(image);
  }, [image]);
  const choose = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    if (!file) return;
    const reading = canvasOf(file).catch(() => null);
    latest.current = reading;
    setReading(true);
    onImage(reading);
    const read = await reading;
    if (latest.current !== reading) return;
    setReading(false);
    setError(read ? undefined : "This is not a PNG or JPEG that can be read. Choose another one.");
    setImage(read);
  };
  const hint = isReading ? "Reading the image …" : "A PNG or JPEG, dark on white.";
  return (
    <>
      <Field label="Image of your signature" hint={hint} error={error} required>
        <Input type="file" accept="image/png,image/jpeg" onChange={choose} className="py-1.5 sm:py-1" />
      </Field>
      {image && (
        <div
          ref={frame}
          className="on-paper grid h-24 place-items-center overflow-hidden rounded-lg border border-line bg-paper p-2 [&>canvas]:max-h-full [&>canvas]:max-w-full"
        />
      )}
    </>
  );
}
