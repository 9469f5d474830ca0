"use client";
/** Passes the page's nonce to the parts of Radix that add a style sheet, such as the scroll lock. */
export function StyleNonce({ nonce }: { nonce: string | null }) {
  if (typeof window !== "undefined" && nonce) {
    (globalThis as { __webpack_nonce__?: string }).__webpack_nonce__ = nonce;
  }
  return null;
}
