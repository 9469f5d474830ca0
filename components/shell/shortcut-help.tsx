"use client";
import { Kbd } from "#components/ui/bits.tsx";
import { Dialog, DialogBody } from "#components/ui/dialog.tsx";
import type { Place } from "./navigation.ts";

/** Every key that does something. */
export function ShortcutHelp({
  open,
  onOpenChange,
  places,
}: {
  open: boolean;
  onOpenChange(open: boolean): void;
  places: Place[];
}) {
  const rows: [string, string[]][] = [
    ["Search and actions", ["Ctrl", "K"]],
    ["Search this list", ["/"]],
    ["New contract", ["n"]],
    ["Next contract in the list", ["j"]],
    ["Previous contract in the list", ["k"]],
    ...places.flatMap(({ label, key }): [string, string[]][] =>
      // An abbreviation stays one.
      key ? [[`Go to ${/[A-Z]{2}/.test(label) ? label : label.toLowerCase()}`, ["g", key]]] : [],
    ),
    ["This help", ["?"]],
  ];
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts">
      <DialogBody label="Keys">
        <dl className="grid gap-1">
          {rows.map(([what, keys]) => (
            <div key={what} className="flex items-center justify-between gap-4 py-1">
              <dt>{what}</dt>
              <dd className="flex gap-1">
                {keys.map((key) => (
                  <Kbd key={key}>{key}</Kbd>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </DialogBody>
    </Dialog>
  );
}
