"use client";
/** The fields on one page, with guides for aligning a field while it is moved. */
import { colorOf } from "../colors.ts";
import type { Envelope } from "../request-actions.ts";
import { FieldBox } from "./field-box.tsx";
import type { PlacedField, Sheet } from "./placed.ts";
import type { Placing } from "./placing.ts";

interface PageFieldsProps {
  sheet: Sheet;
  fields: PlacedField[];
  envelope: Envelope;
  placing: Placing;
}

export function PageFields({ sheet, fields, envelope: { signers }, placing }: PageFieldsProps) {
  const { live } = placing;
  const here = fields.filter((field) =>
    live?.key === field.key ? live.pageIndex === sheet.index : field.pageIndex === sheet.index,
  );
  const guides = live?.pageIndex === sheet.index ? live.guides : null;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same with the keyboard.
    // biome-ignore lint/a11y/noStaticElementInteractions: the paper is static; its fields are interactive.
    <div
      data-sheet={sheet.index}
      className="absolute inset-0"
      onClick={(event) => event.target === event.currentTarget && placing.select(null)}
    >
      {here.map((field) => {
        const index = signers.findIndex(({ id }) => id === field.signerId);
        return (
          <FieldBox
            key={field.key}
            field={field}
            box={live?.key === field.key ? live.box : field}
            signer={signers[index]?.name ?? "no one"}
            color={colorOf(index)}
            isSelected={placing.selectedKey === field.key}
            onSelect={() => placing.select(field.key)}
            onGrab={(event) => placing.grab(event, field)}
            onPull={(event, corner) => placing.resize(event, field, corner)}
            onKeyDown={(event) => placing.press(event, field)}
          />
        );
      })}
      {guides?.x.map((x) => (
        <span
          key={`x${x}`}
          aria-hidden
          style={{ left: `${x}%` }}
          className="absolute inset-y-0 w-px bg-[#d6246e]"
        />
      ))}
      {guides?.y.map((y) => (
        <span
          key={`y${y}`}
          aria-hidden
          style={{ top: `${y}%` }}
          className="absolute inset-x-0 h-px bg-[#d6246e]"
        />
      ))}
    </div>
  );
}
