"use client";
/** Another signer's field: until they have signed, their name; afterwards, what they entered. */
import { clsx } from "clsx";
import { useRef } from "react";
import { type ShownPage, useNear } from "#components/pdf/pages.tsx";
import { checkbox } from "#lib/documents/typeset/mark-layout.ts";
import type { OthersField } from "#lib/doors/sign-client.ts";
import { handwrittenTypes } from "#lib/signatures/lifecycle.ts";
import { usePicture } from "./pictures.ts";
import { layoutOf, pointsOf } from "./place.ts";
import type { Visit } from "./visit.ts";
import { fieldNames } from "./words.ts";
import { StampPicture } from "./written.tsx";

interface OthersBoxProps {
  field: OthersField;
  page: ShownPage;
  ask: Visit["ask"];
  /** Whether to show unfilled fields: while signing, but not while only reading. */
  areOpenShown: boolean;
}

export function OthersBox({ field, page, ask, areOpenShown }: OthersBoxProps) {
  if (field.hasSigned) return <Filled field={field} page={page} ask={ask} />;
  if (!areOpenShown) return null;
  const { fontSize, style } = layoutOf(field, page);
  return (
    <div
      style={{ ...style, fontSize: Math.min(fontSize, 11) }}
      className="absolute overflow-hidden rounded-sm border border-edge border-dashed bg-tone-neutral px-1 text-on-neutral leading-tight"
    >
      {titleOf(field)}
    </div>
  );
}

const titleOf = ({ type, signerName }: OthersField) =>
  `${fieldNames[type].replace("Your ", "")} of ${signerName}`;

function Filled({ field, page, ask }: Omit<OthersBoxProps, "areOpenShown">) {
  const frame = useRef<HTMLDivElement>(null);
  const isNear = useNear(frame);
  const { style, bottom } = layoutOf(field, page);
  const isText = !handwrittenTypes.has(field.type);
  const picture = usePicture(ask, isNear ? field.mark : null, isText ? pointsOf(field, page) : undefined);
  const cover = field.covers && "bg-paper";
  if (field.mark === null && field.checked === null) {
    return cover && <div style={style} className={clsx("absolute", cover)} />;
  }
  const text = picture === "failed" ? null : picture?.text;
  return (
    <div
      ref={frame}
      role="img"
      aria-label={text ? `${labelOf(field)}: ${text}` : labelOf(field)}
      style={{ ...style, paddingBottom: isText ? 0 : bottom }}
      className={clsx("absolute", cover)}
    >
      {field.checked !== null && <Box isChecked={field.checked} field={field} page={page} />}
      {picture === "failed" && <span className="text-quiet text-xs italic">{titleOf(field)}</span>}
      {picture && picture !== "failed" && (
        <StampPicture picture={picture} isText={isText} className="size-full" />
      )}
    </div>
  );
}

const labelOf = (field: OthersField) =>
  field.checked === null ? titleOf(field) : `${titleOf(field)}: ${field.checked ? "checked" : "not checked"}`;

function Box({ isChecked, field, page }: { isChecked: boolean; field: OthersField; page: ShownPage }) {
  const box = pointsOf(field, page);
  const side = checkbox.side(box, 1);
  const [left, bottom] = [(box.width - side) / 2, (box.height + side) / 2];
  const tick = checkbox.tick.map(([x, y]) => `${left + x * side} ${bottom - y * side}`);
  return (
    <svg
      aria-hidden
      viewBox={`0 0 ${box.width} ${box.height}`}
      fill="none"
      stroke="#000"
      className="size-full overflow-visible"
    >
      <rect x={left} y={bottom - side} width={side} height={side} strokeWidth={checkbox.line} />
      {isChecked && (
        <path
          d={`M${tick.join("L")}`}
          strokeWidth={checkbox.tickLine * side}
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      )}
    </svg>
  );
}
