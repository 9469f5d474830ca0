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
import type { CeremonyState, SignerInput } from "#lib/doors/sign-client.ts";
import type { SignatureKind } from "#lib/signatures/lifecycle.ts";
import { DrawingPad } from "./drawing-pad.tsx";
import { ImageChoice } from "./image-choice.tsx";
import { pngOf } from "./images.ts";
import { signatureFont } from "./signature-font.ts";
import { Written } from "./written.tsx";

type Adoption = SignerInput<"adoptSignature">;

export interface AdoptDialogProps {
  state: CeremonyState;
  /** What was drawn or uploaded in this visit, as a PNG in base64. */
  image: string | null;
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
  image,
  isInitials,
  needsInitials,
  onAdopt,
  onRemove,
  onClose,
}: AdoptDialogProps) {
  const { signature, signer } = state;
  const [kind, setKind] = useState<SignatureKind>(signature.kind ?? "typed");
  /** What was adopted before is to be drawn or chosen again. */
  const [isAnew, setAnew] = useState(false);
  const isKept = kind !== "typed" && kind === signature.kind && !isAnew;
  const [text, setText] = useState(signature.text ?? signer.name);
  const [initials, setInitials] = useState(signature.initialsText ?? initialsOf(signer.name));
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);

  const adopt = async (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    const why = hindrance({ kind, text, initials, needsInitials, hasImage: isKept || canvas !== null });
    setTrouble(why);
    if (why || isBusy) return;
    setBusy(true);
    try {
      const more = needsInitials ? { initialsText: initials.trim() } : {};
      if (kind === "typed") await onAdopt({ kind, text: text.trim(), ...more });
      else if (isKept) await onAdopt({ kind, ...more });
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
          {isKept && <Kept signature={signature} image={image} onAnew={() => setAnew(true)} />}
          {kind === "drawn" && !isKept && <DrawingPad onDrawn={setCanvas} />}
          {kind === "uploaded" && !isKept && <ImageChoice onImage={setCanvas} />}
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

interface KeptProps {
  signature: CeremonyState["signature"];
  image: string | null;
  onAnew(): void;
}

/** What was drawn or uploaded before: it stays, unless another one takes its place. */
function Kept({ signature, image, onAnew }: KeptProps) {
  const isDrawn = signature.kind === "drawn";
  return (
    <div className="grid gap-2">
      <div className="on-paper grid h-24 place-items-center overflow-hidden rounded-lg border border-line bg-paper p-2 text-ink">
        <Written signature={signature} image={image} isInitials={false} />
      </div>
      <div className="flex items-center justify-between gap-3">
        <p className="text-quiet text-xs">This is the signature that you adopted.</p>
        <Button onClick={onAnew}>{isDrawn ? "Draw it again" : "Choose another image"}</Button>
      </div>
    </div>
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
  hasImage: boolean;
}

function hindrance({ kind, text, initials, needsInitials, hasImage }: Choices): string | null {
  if (kind === "typed" && text.trim() === "") return "Type your name first.";
  if (kind === "drawn" && !hasImage) return "Draw your signature first.";
  if (kind === "uploaded" && !hasImage) return "Choose an image of your signature first.";
  return needsInitials && initials.trim() === ""
    ? "Type your initials too: the document asks for them."
    : null;
}
