"use client";
/** The document, for consent and signing: as pages with fields on them, or as a form with the same fields. */
import { Ellipsis, FileText } from "lucide-react";
import { useSearchParams } from "next/navigation";
import { type RefObject, useEffect, useRef, useState } from "react";
import { problemOf } from "#components/problem.ts";
import { Button } from "#components/ui/button.tsx";
import { FormError } from "#components/ui/form-error.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { Segments } from "#components/ui/segments.tsx";
import type { CeremonyState, OwnField } from "#lib/doors/sign-client.ts";
import { handwrittenTypes } from "#lib/signatures/lifecycle.ts";
import { Bar } from "./bar.tsx";
import { ConsentCard } from "./consent-card.tsx";
import { useDocument } from "./document.ts";
import { useEntries } from "./entries.ts";
import { showFile } from "./files.ts";
import { FormView } from "./form-view.tsx";
import { Frame } from "./frame.tsx";
import type { Visit } from "./visit.ts";
import { controlOf } from "./words.ts";

const PageView = lazily(() => import("./page-view.tsx").then((file) => file.PageView));
const AdoptDialog = lazily(() => import("./adopt-dialog.tsx").then((file) => file.AdoptDialog));
const ActionsDialog = lazily(() => import("./actions-dialog.tsx").then((file) => file.ActionsDialog));

type View = "pages" | "form";

/** Returns the current view, which is stored in the address, and its setter. */
function useView(): [View, (view: View) => void] {
  const view: View = useSearchParams().get("view") === "form" ? "form" : "pages";
  return [
    view,
    (next) =>
      window.history.replaceState(null, "", next === "form" ? "?view=form" : window.location.pathname),
  ];
}

/** The field that gets the adopted signature, and whether it is already filled and so can be cleared. */
type Adopting = { field: OwnField; isFilled: boolean } | null;

export function DocumentScreen({ state, visit }: { state: CeremonyState; visit: Visit }) {
  const [view, setView] = useView();
  const opened = useDocument(visit);
  const entries = useEntries(state, visit);
  const [adopting, setAdopting] = useState<Adopting>(null);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const current = useRef<string | null>(null);
  const [hasStarted, setStarted] = useState(false);
  const isSigning = state.screen === "sign";
  const more = useRef<HTMLButtonElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusOnceAgreed(state, heading);
  /** The field to focus when the dialog closes, if not `current`. */
  const destination = useRef<string | null>(null);
  useFocusBack(adopting !== null, () => {
    const wanted = destination.current ?? current.current;
    destination.current = null;
    goTo(entries.fields.find(({ id }) => id === wanted));
  });
  useFocusBack(isMenuOpen, () => more.current?.focus({ preventScroll: true }));

  const goTo = (field: OwnField | undefined, { isFocused = true } = {}) => {
    const control = field && controlOf(field.id);
    if (!control) return;
    if (!isInSight(control)) control.scrollIntoView({ block: "center" });
    if (isFocused) control.focus({ preventScroll: true });
  };
  /** Returns the first missing field after a field, wrapping around to the first of all. */
  const missingAfter = (field: OwnField): OwnField | undefined => {
    const missing = entries.missing.filter(({ id }) => id !== field.id);
    const at = entries.fields.indexOf(field);
    return missing.find((other) => entries.fields.indexOf(other) > at) ?? missing[0];
  };
  const goOn = () => {
    setStarted(true);
    const at = entries.fields.findIndex(({ id }) => id === current.current);
    const { missing } = entries;
    goTo(missing.find((field) => entries.fields.indexOf(field) > at) ?? missing[0]);
  };
  const finish = async () => goTo((await entries.finish()) ?? undefined);

  const { signature } = state;
  const sign = (field: OwnField) => {
    setStarted(true);
    current.current = field.id;
    const isFilled = entries.isFilled(field);
    const isAdopted = field.type === "SIGNATURE" ? signature.kind !== null : signature.hasInitials;
    if (!isAdopted || isFilled) return setAdopting({ field, isFilled });
    entries.enter(field, true, "at-once");
    if (view === "pages") goTo(missingAfter(field));
  };
  const viewed = {
    state,
    entries,
    ask: visit.ask,
    onSign: sign,
    onNext: goOn,
    onFocus: (field: OwnField) => {
      current.current = field.id;
    },
    // Scrolls to the next field without moving the focus, which keyboard users move themselves.
    onFilled: (field: OwnField) => field.required && goTo(missingAfter(field), { isFocused: false }),
  };

  return (
    <Frame
      state={state}
      isWide
      actions={
        <Button ref={more} aria-haspopup="dialog" onClick={() => setMenuOpen(true)}>
          <Ellipsis aria-hidden /> More
        </Button>
      }
    >
      {state.screen === "consent" && <ConsentCard state={state} visit={visit} />}
      {isSigning && (
        <div className="mx-auto flex w-full max-w-4xl items-center gap-3 px-4 py-3 sm:px-6 print:hidden">
          <h1 ref={heading} tabIndex={-1} className="sr-only">
            Sign {state.subject}
          </h1>
          <Segments
            label="View"
            value={view}
            onValue={setView}
            options={[
              { value: "pages", label: "Pages" },
              { value: "form", label: "Form" },
            ]}
          />
          {view === "form" && <ReadButton visit={visit} />}
        </div>
      )}
      {isSigning && view === "form" ? (
        <FormView {...viewed} />
      ) : (
        <PageView {...viewed} opened={opened} areFieldsShown={isSigning} />
      )}
      {isSigning && (
        <Bar
          entries={entries}
          hasStarted={hasStarted}
          isCutOff={visit.isCutOff}
          onNext={goOn}
          onFinish={finish}
        />
      )}
      {adopting && (
        <AdoptDialog
          state={state}
          ask={visit.ask}
          isInitials={adopting.field.type === "INITIALS"}
          needsInitials={entries.fields.some(({ type }) => type === "INITIALS")}
          onClose={() => setAdopting(null)}
          onAdopt={async (adoption) => {
            await visit.act("adoptSignature", adoption);
            const { field, isFilled } = adopting;
            entries.enter(field, true, "at-once");
            // If the signature was only replaced, stay at its field.
            if (!isFilled && view === "pages") destination.current = missingAfter(field)?.id ?? null;
            // If this dialog was closed meanwhile, another may be open for another field.
            setAdopting((now) => (now === adopting ? null : now));
          }}
          onRemove={
            adopting.isFilled && handwrittenTypes.has(adopting.field.type)
              ? () => {
                  entries.enter(adopting.field, null, "at-once");
                  setAdopting(null);
                }
              : undefined
          }
        />
      )}
      {isMenuOpen && (
        <ActionsDialog state={state} visit={visit} entries={entries} onClose={() => setMenuOpen(false)} />
      )}
    </Frame>
  );
}

/** Returns whether a control is visible between the page's header and the bar. */
function isInSight(control: HTMLElement): boolean {
  const { top, bottom } = control.getBoundingClientRect();
  return top >= 64 && bottom <= window.innerHeight - 96;
}

/** Moves the focus to the document's heading after consent, because the focused button is gone. */
function useFocusOnceAgreed({ screen }: CeremonyState, heading: RefObject<HTMLElement | null>): void {
  const before = useRef(screen);
  useEffect(() => {
    if (before.current === "consent" && screen === "sign") heading.current?.focus();
    before.current = screen;
  }, [screen, heading]);
}

/** Calls `back` to restore the focus after a dialog has closed. */
function useFocusBack(isOpen: boolean, back: () => void): void {
  const wasOpen = useRef(false);
  useEffect(() => {
    // After the dialog has released the focus.
    if (wasOpen.current && !isOpen) setTimeout(back);
    wasOpen.current = isOpen;
  });
}

function ReadButton({ visit }: { visit: Visit }) {
  const [trouble, setTrouble] = useState<string | null>(null);
  const show = () =>
    showFile(visit.ask("document", {})).catch((error) => setTrouble(problemOf(error).message));
  return (
    <>
      <Button className="ml-auto" onClick={show}>
        <FileText aria-hidden /> Read the document
      </Button>
      <FormError>{trouble}</FormError>
    </>
  );
}
