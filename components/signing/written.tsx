import { clsx } from "clsx";
import { ink } from "#lib/documents/typeset/mark-layout.ts";
import { type Picture, usePicture } from "./pictures.ts";
import type { Visit } from "./visit.ts";

const inkOf = (color: readonly number[]) => `rgb(${color.map((part) => Math.round(part * 255)).join(" ")})`;

interface DrawnProps {
  picture: Picture;
  /** Whether it is the text of a field, which is black like the document's text. */
  isText?: boolean;
  className?: string;
}

/** A picture as stamped into its box: as large as fits, aligned left, centered vertically. */
export function StampPicture({ picture: { outline, png }, isText, className }: DrawnProps) {
  if (outline) {
    return (
      <svg
        aria-hidden
        data-picture=""
        viewBox={outline.viewBox}
        preserveAspectRatio="xMinYMid meet"
        // Some letters extend beyond their box, in the stamped document as well.
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

/** The appearance of the signer's own signature. */
export function OwnSignature({ ask, mark, isInitials, className }: WrittenProps) {
  const picture = usePicture(ask, mark);
  if (picture === null) return null;
  if (picture === "failed") {
    return <span className="m-auto truncate italic">Your {isInitials ? "initials" : "signature"}</span>;
  }
  return <StampPicture picture={picture} className={className} />;
}
