"use client";
/** The document's pages, with the signer's fields to fill in and other people's as boxes. Large: load it with `lazily`. */
import { useRef } from "react";
import type { PageSize } from "#components/pdf/layout.ts";
import { PdfPages, useWidth } from "#components/pdf/pages.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import type { OthersField } from "#lib/doors/sign-client.ts";
import type { OpenedDocument } from "./document.ts";
import { FieldBox } from "./field-box.tsx";
import type { Filling } from "./filling.ts";
import { placeOf } from "./place.ts";
import { fieldNames } from "./words.ts";

const widest = 820;

export interface PageViewProps extends Filling {
  opened: OpenedDocument;
  areFieldsShown: boolean;
}

export function PageView({ opened, areFieldsShown, ...filling }: PageViewProps) {
  const frame = useRef<HTMLDivElement>(null);
  const room = useWidth(frame);
  const { address, problem, ask } = opened;
  const { state, entries } = filling;
  return (
    <div ref={frame} className="min-h-[60dvh] py-1 sm:px-6 sm:py-3">
      {problem && (
        <ErrorState
          title="The document cannot be shown"
          message={problem.message}
          requestId={problem.requestId}
          onRetry={ask}
        />
      )}
      {address && room > 0 && (
        <PdfPages url={address} width={Math.min(room, widest)} onRetry={ask}>
          {(page) =>
            areFieldsShown && (
              // Paper is white in both themes, and so is what stands on it.
              <div className="on-paper absolute inset-0 text-ink">
                {state.others
                  .filter(({ pageIndex }) => pageIndex === page.index)
                  .map((field) => (
                    <OthersBox
                      key={`${field.xPct} ${field.yPct} ${field.signerName}`}
                      field={field}
                      page={page}
                    />
                  ))}
                {entries.fields
                  .filter(({ pageIndex }) => pageIndex === page.index)
                  .map((field) => (
                    <FieldBox key={field.id} field={field} page={page} {...filling} />
                  ))}
              </div>
            )
          }
        </PdfPages>
      )}
    </div>
  );
}

function OthersBox({ field, page }: { field: OthersField; page: PageSize }) {
  const { fontSize, style } = placeOf(field, page);
  return (
    <div
      style={{ ...style, fontSize: Math.min(fontSize, 11) }}
      className="absolute overflow-hidden rounded-sm border border-edge border-dashed bg-tone-neutral px-1 text-on-neutral leading-tight"
    >
      {fieldNames[field.type].replace("Your ", "")} of {field.signerName}
    </div>
  );
}
