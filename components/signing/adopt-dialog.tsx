"use client";
/** Adopting a signature, once for the whole document: typed, drawn, or as an image. */
import { type FormEvent, useState } from "react";
import { problemOf } from "#components/problem.ts";
import { Button } from "#components/ui/button.tsx";
import { Dialog, DialogBody, DialogFooter } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { FormError } from "#components/ui/form-error.tsx";
import { Input } from "#components/ui/input.tsx";
import { Segments } from "#components/ui/segments.tsx";
import type { CeremonyState, SignerInput } from "#lib/api/sign-client.ts";
import type { SignatureKind } from "#lib/signatures/lifecycle.ts";
import { DrawingPad } from "./drawing-pad.tsx";
import { ImageChoice } from "./image-choice.tsx";
import { pngOf } from "./images.ts";
import { signatureFont } from "./signature-font.ts";

type Adoption = SignerInput<"adoptSignature">;

export interface AdoptDialogProps {
  state: CeremonyState;
  /** The field that asked is one for initials. */
  isInitials: boolean;
  /** The signer has fields for initials somewhere. */
  needsInitials: boolean;
  onAdopt(adoption: Adoption): Promise<void>;
  /** Takes the signature off the field; undefined where there is none on it. */
  onRemove: (() => void) | undefined;
  onClose(): void;
}

const ways = [
  { value: "typed", label: "Type" },
  { value: "drawn", label: "Draw" },
  { value: "uploaded", label: "Upload" },
] as const;

export function AdoptDialog({
  state,
  isInitials,
  needsInitials,
  onAdopt,
  onRemove,
  onClose,
}: AdoptDialogProps) {
  const { signature, signer } = state;
  const [kind, setKind] = useState<SignatureKind>("typed");
  const [text, setText] = useState(signature.text ?? signer.name);
  const [initials, setInitials] = useState(signature.initialsText ?? initialsOf(signer.name));
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);

  const adopt = async (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    const why = hindrance({ kind, text, initials, needsInitials, canvas });
    setTrouble(why);
    if (why || isBusy) return;
    setBusy(true);
    try {
      const more = needsInitials ? { initialsText: initials.trim() } : {};
      if (kind === "typed") await onAdopt({ kind, text: text.trim(), ...more });
      else if (canvas) await onAdopt({ kind, image: await pngOf(canvas), ...more });
    } catch (error) {
      const { issues, message } = problemOf(error);
      setTrouble(issues[0]?.message ?? message);
      setBusy(false);
    }
  };

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={onRemove ? "Change your signature" : "Your signature"}
      description="It is used wherever you tap to sign in this document."
    >
      <form onSubmit={adopt} noValidate className="flex min-h-0 flex-col">
        <DialogBody className="grid gap-4">
          <Segments
            label="How to sign"
            value={kind}
            onValue={(next) => {
              setKind(next);
              setCanvas(null);
              setTrouble(null);
            }}
            options={ways}
          />
          {kind === "typed" && <Typed text={text} onText={setText} />}
          {kind === "drawn" && <DrawingPad onDrawn={setCanvas} />}
          {kind === "uploaded" && <ImageChoice onImage={setCanvas} />}
          {needsInitials && (
            <Field label="Initials" required>
              <Input
                value={initials}
                onChange={(event) => setInitials(event.target.value)}
                maxLength={10}
                autoComplete="off"
                autoFocus={isInitials}
                className="max-w-32"
              />
            </Field>
          )}
          <FormError>{trouble}</FormError>
        </DialogBody>
        <DialogFooter>
          {onRemove && (
            <Button size="lg" className="mr-auto" onClick={onRemove}>
              Remove
            </Button>
          )}
          <Button size="lg" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" size="lg" variant="primary" busy={isBusy}>
            Adopt and sign
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

function Typed({ text, onText }: { text: string; onText(text: string): void }) {
  return (
    <>
      <Field label="Your name" required>
        <Input
          value={text}
          onChange={(event) => onText(event.target.value)}
          maxLength={100}
          autoComplete="name"
        />
      </Field>
      <div className="on-paper grid h-24 place-items-center overflow-hidden rounded-lg border border-line bg-paper px-4 text-ink">
        <span
          aria-hidden
          className={`${signatureFont.className} max-w-full truncate px-2 text-[2.25rem] leading-[1.4]`}
        >
          {text}
        </span>
      </div>
    </>
  );
}

const initialsOf = (name: string) =>
  name
    .trim()
    .split(/\s+/)
    .map((word) => [...word][0] ?? "")
    .join("")
    .slice(0, 4);

interface Choices {
  kind: SignatureKind;
  text: string;
  initials: string;
  needsInitials: boolean;
  canvas: HTMLCanvasElement | null;
}

function hindrance({ kind, text, initials, needsInitials, canvas }: Choices): string | null {
  if (kind === "typed" && text.trim() === "") return "Type your name first.";
  if (kind === "drawn" && !canvas) return "Draw your signature first.";
  if (kind === "uploaded" && !canvas) return "Choose an image of your signature first.";
  return needsInitials && initials.trim() === ""
    ? "Type your initials too: the document asks for them."
    : null;
}
