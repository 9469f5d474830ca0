"use client";
/** The document's pages, with the signer's fields to fill in and others' as boxes. Large: load it with `lazily`. */
import { useRef } from "react";
import { PdfPages, useWidth } from "#components/pdf/pages.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import type { OpenedDocument } from "./document.ts";
import { FieldBox } from "./field-box.tsx";
import type { Filling } from "./filling.ts";
import { OthersBox } from "./others-box.tsx";

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
          {(page) => (
            // Paper is white in both themes, so its content has the light theme's colors.
            <div className="on-paper absolute inset-0 text-ink">
              {state.others
                .filter(({ pageIndex }) => pageIndex === page.index)
                .map((field) => (
                  <OthersBox
                    key={field.id}
                    field={field}
                    page={page}
                    ask={filling.ask}
                    areOpenShown={areFieldsShown}
                  />
                ))}
              {areFieldsShown &&
                entries.fields
                  .filter(({ pageIndex }) => pageIndex === page.index)
                  .map((field) => <FieldBox key={field.id} field={field} page={page} {...filling} />)}
            </div>
          )}
        </PdfPages>
      )}
    </div>
  );
}
