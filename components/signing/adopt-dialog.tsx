"use client";
/** Adopts a signature, once for the whole document: typed, drawn, or from an image. */
import { type FormEvent, useEffect, useRef, useState } from "react";
import { problemOf } from "#components/problem.ts";
import { Button } from "#components/ui/button.tsx";
import { Dialog, DialogBody, DialogFooter } from "#components/ui/dialog.tsx";
import { FormError } from "#components/ui/form-error.tsx";
import { Segments } from "#components/ui/segments.tsx";
import type { CeremonyState, SignerInput } from "#lib/doors/sign-client.ts";
import type { SignatureKind } from "#lib/signatures/lifecycle.ts";
import { DrawingPad } from "./drawing-pad.tsx";
import { ImageChoice } from "./image-choice.tsx";
import { pngOf } from "./images.ts";
import { initialsOf } from "./initials.ts";
import { type Preview, usePreview } from "./pictures.ts";
import { TypedInitials, TypedName } from "./typed.tsx";
import type { Visit } from "./visit.ts";
import { OwnSignature } from "./written.tsx";

type Adoption = SignerInput<"adoptSignature">;
type Picture = HTMLCanvasElement | null;

export interface AdoptDialogProps {
  state: CeremonyState;
  ask: Visit["ask"];
  /** Whether the dialog was opened from a field for initials. */
  isInitials: boolean;
  /** Whether the signer has any fields for initials. */
  needsInitials: boolean;
  onAdopt(adoption: Adoption): Promise<void>;
  /** Removes the signature from the field; undefined if it has none. */
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
  ask,
  isInitials,
  needsInitials,
  onAdopt,
  onRemove,
  onClose,
}: AdoptDialogProps) {
  const { signature, signer } = state;
  const [kind, setKind] = useState<SignatureKind>(signature.kind ?? "typed");
  /** Whether the adopted signature is to be replaced by a new drawing or image. */
  const [isReplacing, setReplacing] = useState(false);
  const isKept = kind !== "typed" && kind === signature.kind && !isReplacing;
  const [text, setText] = useState(signature.text ?? signer.name);
  const [initials, setInitials] = useState(signature.initialsText ?? initialsOf(signer.name));
  /** The drawing or the chosen image, which may still be loading. */
  const [canvas, setCanvas] = useState<Picture | Promise<Picture>>(null);
  const [isBusy, setBusy] = useState(false);
  /** Incremented whenever an adoption that still waits for its image becomes obsolete. */
  const turn = useRef(0);
  useEffect(
    () => () => {
      turn.current++;
    },
    [],
  );
  const [trouble, setTrouble] = useState<string | null>(null);
  const written = usePreview(ask, kind === "typed" ? text : "", "signature");
  const shortly = usePreview(ask, needsInitials ? initials : "", "initials");
  const hasChosen = useRef(signature.kind !== null);
  useEffect(() => {
    // A name that cannot be rendered has to be drawn; the Type tab says why.
    if (!written.problem || hasChosen.current) return;
    hasChosen.current = true;
    setKind("drawn");
  }, [written.problem]);

  const choose = (picture: Picture | Promise<Picture>) => {
    turn.current++;
    setCanvas(picture);
  };
  const adopt = async (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    if (isBusy) return;
    hasChosen.current = true;
    const own = ++turn.current;
    const image = await canvas;
    if (own !== turn.current) return;
    const why = whyNotReady({
      ...{ kind, text, initials, needsInitials, hasImage: isKept || image !== null },
      ...{ written, shortly },
    });
    setTrouble(why);
    if (why) return;
    setBusy(true);
    try {
      const more = needsInitials ? { initialsText: initials.trim() } : {};
      if (kind === "typed") await onAdopt({ kind, text: text.trim(), ...more });
      else if (isKept) await onAdopt({ kind, ...more });
      else if (image) await onAdopt({ kind, image: await pngOf(image), ...more });
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
              hasChosen.current = true;
              setKind(next);
              choose(null);
              setTrouble(null);
            }}
            options={ways}
          />
          {kind === "typed" && (
            <TypedName
              text={text}
              preview={written}
              onText={(next) => {
                hasChosen.current = true;
                setText(next);
              }}
            />
          )}
          {isKept && (
            <AdoptedSignature signature={signature} ask={ask} onReplace={() => setReplacing(true)} />
          )}
          {kind === "drawn" && !isKept && <DrawingPad onDrawn={choose} />}
          {kind === "uploaded" && !isKept && <ImageChoice onImage={choose} />}
          {needsInitials && (
            <TypedInitials text={initials} preview={shortly} onText={setInitials} isFirst={isInitials} />
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
  ask: Visit["ask"];
  onReplace(): void;
}

/** The drawing or image adopted earlier, which stays unless it is replaced. */
function AdoptedSignature({ signature, ask, onReplace }: KeptProps) {
  const isDrawn = signature.kind === "drawn";
  return (
    <div className="grid gap-2">
      <div className="on-paper grid h-24 items-center rounded-lg border border-line bg-paper px-6 py-3 text-ink">
        <OwnSignature ask={ask} mark={signature.mark} isInitials={false} className="size-full min-h-0" />
      </div>
      <div className="flex items-center justify-between gap-3">
        <p className="text-quiet text-xs">This is the signature that you adopted.</p>
        <Button onClick={onReplace}>{isDrawn ? "Draw it again" : "Choose another image"}</Button>
      </div>
    </div>
  );
}

interface Choices {
  kind: SignatureKind;
  text: string;
  initials: string;
  needsInitials: boolean;
  hasImage: boolean;
  written: Preview;
  shortly: Preview;
}

function whyNotReady(choices: Choices): string | null {
  const { kind, text, initials, needsInitials, hasImage, written, shortly } = choices;
  if (kind === "typed" && text.trim() === "") return "Type your name first.";
  if (kind === "drawn" && !hasImage) return "Draw your signature first.";
  if (kind === "uploaded" && !hasImage) return "Choose an image of your signature first.";
  if (needsInitials && initials.trim() === "") return "Type your initials too: the document asks for them.";
  return written.problem ?? shortly.problem;
}
