"use client";
import { setSingleKeys, useSingleKeys } from "#components/keys.ts";
import { Kbd } from "#components/ui/bits.tsx";
import { Switch } from "#components/ui/choice.tsx";
import { Dialog, DialogBody } from "#components/ui/dialog.tsx";
import type { Place } from "./navigation.ts";

/** Lists all keyboard shortcuts, and turns single-key shortcuts on and off. */
export function ShortcutHelp({
  open,
  onOpenChange,
  places,
}: {
  open: boolean;
  onOpenChange(open: boolean): void;
  places: Place[];
}) {
  const isOn = useSingleKeys();
  const rows: [string, string[]][] = [
    ["Search and actions", ["Ctrl", "K"]],
    ["Search this list", ["/"]],
    ["New contract", ["n"]],
    ["Next contract in the list", ["j"]],
    ["Previous contract in the list", ["k"]],
    ...places.flatMap(({ label, key }): [string, string[]][] =>
      // Abbreviations stay in capitals.
      key ? [[`Go to ${/[A-Z]{2}/.test(label) ? label : label.toLowerCase()}`, ["g", key]]] : [],
    ),
    ["This help", ["?"]],
  ];
  const working = rows.filter(([, [first]]) => isOn || first === "Ctrl");
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Keyboard shortcuts">
      <DialogBody label="Keys">
        <Switch
          className="mb-3 border-line border-b pb-3"
          label="Single-key shortcuts"
          hint={
            "Turn these off if you use dictation or press keys by accident. Ctrl\u00a0K still works. Saved in this browser."
          }
          checked={isOn}
          onChange={({ target }) => setSingleKeys(target.checked)}
        />
        <dl className="grid gap-1">
          {working.map(([what, keys]) => (
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
