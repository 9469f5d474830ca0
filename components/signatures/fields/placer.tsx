"use client";
/** The document with its fields, and the tools to place, change and find them. */
import { ScanText, SlidersHorizontal } from "lucide-react";
import { type ComponentProps, useRef, useState } from "react";
import { PdfPages, pageId, useWidth } from "#components/pdf/pages.tsx";
import { Button } from "#components/ui/button.tsx";
import { Sheet as SidePanel } from "#components/ui/dialog.tsx";
import { colorOf, inkOnPaper } from "../colors.ts";
import { type Place, useFocusTarget } from "../place.ts";
import type { Envelope } from "../request-actions.ts";
import { useResume } from "../resume.ts";
import type { Saving } from "../saving.ts";
import { FieldList } from "./field-list.tsx";
import { useFieldHistory } from "./history.ts";
import { PageFields } from "./page-fields.tsx";
import { FieldPalette } from "./palette.tsx";
import { FieldPanel } from "./panel.tsx";
import { fieldsFrom, type PlacedField, placedFrom, type Sheet, typeName } from "./placed.ts";
import { usePlacing } from "./placing.ts";
import type { Ghost } from "./pointing.ts";
import { useTags } from "./tags.ts";
import { Toolbar } from "./toolbar.tsx";
import { useUndoKeys } from "./undo-keys.ts";

interface PlacerProps {
  envelope: Envelope;
  saving: Saving;
  place: Place | null;
  url: string;
  onRetry(): void;
}

const widest = 860;

const hasNoChoice = ({ type, options }: PlacedField) => type === "DROPDOWN" && options.length === 0;

export function Placer({ envelope, saving, place, url, onRetry }: PlacerProps) {
  const { signers } = envelope;
  const frame = useRef<HTMLDivElement>(null);
  const palette = useRef<HTMLDivElement>(null);
  const beside = useRef<HTMLElement>(null);
  const width = useWidth(frame);
  const sheets = useRef(new Map<number, Sheet>()).current;
  const [zoom, setZoom] = useState(1);
  const [pageCount, setPageCount] = useState(envelope.pageCount ?? 1);
  const [isLoaded, setLoaded] = useState(false);
  const [currentPage, setCurrentPage] = useState(0);
  const [signerId, setSignerId] = useState(signers[0]!.id);
  const [isEditing, setEditing] = useState(false);
  const [announcement, setAnnouncement] = useState("");
  // Fields of a signer who has been removed since are dropped.
  const [entered] = useState(() =>
    saving
      .enteredIn<PlacedField[]>("fields")
      ?.filter((field) => signers.some(({ id }) => id === field.signerId)),
  );
  const changed = (fields: PlacedField[]) =>
    saving.changed("fields", {
      patch: () => (fields.some(hasNoChoice) ? undefined : { fields: fieldsFrom(fields) }),
      entered: () => fields,
    });
  const history = useFieldHistory(() => entered ?? placedFrom(envelope), changed);
  useResume(entered, changed);
  const placing = usePlacing({ history, signerId, pageCount, currentPage, sheets, onSay: setAnnouncement });
  useUndoKeys(history.undo, history.redo);
  const selected = history.fields.find(({ key }) => key === placing.selectedKey) ?? null;
  const tags = useTags({ envelope, saving, history });
  const goTo = (pageIndex: number) => document.getElementById(pageId(pageIndex))?.scrollIntoView();
  useFocusTarget(place, isLoaded, {
    signer(index) {
      setSignerId(signers[index]?.id ?? signerId);
      palette.current?.querySelector("button")?.focus();
    },
    field(index) {
      const field = history.fields[index];
      if (!field) return;
      if (field.pageIndex < pageCount) return placing.focus(field.key);
      // The document has no such page, so show the field's panel.
      placing.select(field.key);
      setEditing(beside.current?.offsetWidth === 0);
    },
    page(pageIndex) {
      const page = document.getElementById(pageId(pageIndex));
      page?.setAttribute("tabindex", "-1");
      page?.focus({ preventScroll: true });
      goTo(pageIndex);
    },
  });
  const panel = selected && (
    <FieldPanel
      key={selected.key}
      field={selected}
      signers={signers}
      pageCount={pageCount}
      onChange={(part, kind) => placing.change(selected.key, part, kind)}
      onDuplicate={() => placing.duplicate(selected)}
      onCopyToAll={() => placing.copyToAll(selected)}
      onDelete={() => placing.remove(selected.key)}
    />
  );
  const shownWidth = Math.max(200, Math.floor(Math.min(width, widest) * zoom));
  return (
    <div className="grid gap-x-6 gap-y-3 px-4 py-4 md:px-6 lg:grid-cols-[12rem_minmax(0,1fr)_16rem]">
      <div
        ref={palette}
        className="z-10 grid content-start gap-2 max-lg:sticky max-lg:top-12 max-lg:-mx-4 max-lg:border-line max-lg:border-b max-lg:bg-paper max-lg:px-4 max-lg:py-2 md:max-lg:top-0 lg:sticky lg:top-4 lg:self-start"
      >
        <FieldPalette
          signers={signers}
          signerId={signerId}
          onSigner={setSignerId}
          onPlace={placing.placeHere}
          onGrab={placing.grabNew}
          disabled={!isLoaded}
        />
      </div>
      <div ref={frame} className="grid min-w-0 content-start gap-3">
        <Toolbar
          undo={history.undo}
          redo={history.redo}
          page={currentPage}
          pageCount={pageCount}
          onPage={goTo}
          zoom={zoom}
          onZoom={setZoom}
        >
          <Button size="sm" busy={tags.isPlacing} onClick={tags.place}>
            <ScanText aria-hidden />
            Place tags found in the document
          </Button>
        </Toolbar>
        <p aria-live="polite" className="sr-only">
          {announcement}
        </p>
        <Problems saving={saving} fields={history.fields} />
        {width > 0 && (
          <DocumentPane
            url={url}
            width={shownWidth - (width > widest ? 0 : 32)}
            isZoomed={zoom > 1}
            onPageCount={(count) => {
              setPageCount(count);
              setLoaded(true);
            }}
            onCurrent={setCurrentPage}
            onRetry={onRetry}
          >
            {(sheet) => {
              sheets.set(sheet.index, sheet);
              return (
                <PageFields sheet={sheet} fields={history.fields} envelope={envelope} placing={placing} />
              );
            }}
          </DocumentPane>
        )}
      </div>
      <aside
        ref={beside}
        aria-label="Field"
        className="max-lg:hidden lg:sticky lg:top-4 lg:max-h-[calc(100dvh-6rem)] lg:self-start lg:overflow-y-auto"
      >
        {panel ?? <FieldList fields={history.fields} signers={signers} onPick={placing.focus} />}
      </aside>
      {selected && (
        <Button
          variant="primary"
          className="!fixed right-4 bottom-32 z-20 shadow-high md:bottom-16 lg:!hidden"
          onClick={() => setEditing(true)}
        >
          <SlidersHorizontal aria-hidden />
          Edit the field
        </Button>
      )}
      <SidePanel
        open={isEditing && selected !== null}
        onOpenChange={setEditing}
        title={selected ? typeName(selected.type) : "Field"}
      >
        <div className="min-h-0 flex-1 overflow-y-auto px-5 pb-6">{panel}</div>
      </SidePanel>
      {placing.ghost && (
        <DraggedField
          ghost={placing.ghost}
          color={colorOf(signers.findIndex(({ id }) => id === signerId)).fill}
        />
      )}
    </div>
  );
}

/** What prevents the fields from being saved. */
function Problems({ saving: { state }, fields }: { saving: Saving; fields: PlacedField[] }) {
  return (
    <>
      {state.kind !== "saved" && fields.some(hasNoChoice) && (
        <p role="alert" className="text-danger">
          A dropdown has no options. Select it, and add at least one.
        </p>
      )}
      {state.kind === "failed" && (
        <p role="alert" className="text-danger">
          {state.problem.message}
          {state.problem.requestId && ` (Request ${state.problem.requestId})`}
        </p>
      )}
    </>
  );
}

interface DocumentPaneProps extends Omit<ComponentProps<typeof PdfPages>, "width"> {
  width: number;
  isZoomed: boolean;
}

/**
 * The pages, each with its fields. A link that failed may have expired: the pages then reload with a new one.
 */
function DocumentPane({ url, width, isZoomed, onRetry, ...pages }: DocumentPaneProps) {
  const [failed, setFailed] = useState<string[]>([]);
  return (
    <section
      aria-label="Document"
      tabIndex={isZoomed ? 0 : undefined}
      className="-mx-4 overflow-x-auto bg-well px-4 py-4 md:mx-0 md:rounded-lg"
    >
      <PdfPages
        {...pages}
        key={failed.filter((link) => link !== url).length}
        url={url}
        width={Math.max(200, width)}
        onRetry={() => {
          setFailed([...failed, url]);
          onRetry?.();
        }}
      />
    </section>
  );
}

/** A new field that follows the pointer while it is dragged to a page. */
function DraggedField({ ghost, color }: { ghost: Ghost; color: string }) {
  return (
    <span
      aria-hidden
      style={{ left: ghost.x, top: ghost.y, color: inkOnPaper, background: color }}
      className="-translate-1/2 pointer-events-none fixed z-50 rounded-sm px-3 py-1 text-xs shadow-high"
    >
      {typeName(ghost.type)}
    </span>
  );
}
