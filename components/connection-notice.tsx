"use client";
/** Shows that the connection is lost, and what happens to changes made in the meantime. */
import { CloudOff } from "lucide-react";
import { useEffect, useRef } from "react";
import { Button } from "#components/ui/button.tsx";
import { counted } from "#components/words.ts";
import { type Connection, useConnectionState } from "./connection.ts";

export function ConnectionNotice({ connection }: { connection: Connection }) {
  const { isLost, waiting } = useConnectionState(connection);
  const isShown = isLost || waiting > 0;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => keepClear(place.current!), []);
  return (
    <div
      ref={place}
      role="status"
      // Implied by the role, but next to an open dialog only elements with the attribute are announced.
      aria-live="polite"
      className="pointer-events-none fixed inset-x-3 top-3 z-[65] grid justify-items-center print:hidden"
    >
      {isShown && (
        <div className="pointer-events-auto flex max-w-xl animate-rise flex-wrap items-center gap-x-3 gap-y-2 rounded-lg bg-raised py-2.5 pr-2.5 pl-3.5 shadow-high">
          <CloudOff aria-hidden className="size-4 shrink-0 text-danger" />
          <p className="min-w-0 flex-1 basis-56">
            <span className="font-medium">The connection is lost. </span>
            {waiting > 0
              ? `${counted(waiting, "change")} ${waiting === 1 ? "is" : "are"} kept on this page and will be sent when it is back. Leave the page open.`
              : "What you change is kept on this page and will be sent when it is back."}
          </p>
          {waiting > 0 && (
            <span className="flex gap-2">
              <Button size="sm" variant="quiet" onClick={connection.giveUp}>
                Discard
              </Button>
              <Button size="sm" onClick={connection.tryNow}>
                Try now
              </Button>
            </span>
          )}
        </div>
      )}
    </div>
  );
}

const gap = 8;

/** Sets a CSS variable to the notice's lower edge, so that dialogs open below it and it covers no title or button. */
function keepClear(place: HTMLElement): () => void {
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => {
    const { offsetTop, offsetHeight } = place;
    if (offsetHeight === 0) style.removeProperty("--notice-end");
    else style.setProperty("--notice-end", `${offsetTop + offsetHeight + gap}px`);
  });
  observer.observe(place);
  return () => {
    observer.disconnect();
    style.removeProperty("--notice-end");
  };
}
