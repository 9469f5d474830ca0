import { clsx } from "clsx";
import { ink } from "#lib/documents/typeset/mark-layout.ts";
import { type Picture, usePicture } from "./pictures.ts";
import type { Visit } from "./visit.ts";

const inkOf = (color: readonly number[]) => `rgb(${color.map((part) => Math.round(part * 255)).join(" ")})`;

interface DrawnProps {
  picture: Picture;
  /** Of a text in a field: black, as text is. */
  isText?: boolean;
  className?: string;
}

/** A picture as it is stamped into its box: as large as it fits, at the left, in the middle of the height. */
export function Drawn({ picture: { outline, png }, isText, className }: DrawnProps) {
  if (outline) {
    return (
      <svg
        aria-hidden
        data-picture=""
        viewBox={outline.viewBox}
        preserveAspectRatio="xMinYMid meet"
        // Some letters reach beyond their place, on paper as here.
        className={clsx("overflow-visible", className)}
      >
        <path d={outline.path} fill={isText ? "#000" : inkOf(ink)} />
      </svg>
    );
  }
  return (
    // biome-ignore lint/performance/noImgElement: it comes from this page, and no server can make it smaller.
    <img
      data-picture=""
      src={`data:image/png;base64,${png}`}
      alt=""
      className={clsx("object-contain object-left", className)}
    />
  );
}

export interface WrittenProps {
  ask: Visit["ask"];
  mark: string | null;
  isInitials: boolean;
  className?: string;
}

/** How the signer's own signature looks. */
export function Written({ ask, mark, isInitials, className }: WrittenProps) {
  const picture = usePicture(ask, mark);
  if (picture === null) return null;
  if (picture === "failed") {
    return <span className="m-auto truncate italic">Your {isInitials ? "initials" : "signature"}</span>;
  }
  return <Drawn picture={picture} className={className} />;
}
