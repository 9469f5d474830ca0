/**
 * A color for each signer, on the white paper of a document and next to the signer's name. It is never the
 * only indication, because the name is shown with it.
 */
export interface SignerColor {
  line: string;
  /** Light enough for dark text. */
  fill: string;
}

const colors: readonly SignerColor[] = [
  { line: "#2546c4", fill: "#e4eafd" },
  { line: "#b4540a", fill: "#fdeeda" },
  { line: "#17703f", fill: "#dff3e6" },
  { line: "#8a2bb8", fill: "#f4e6fb" },
  { line: "#b01e4b", fill: "#fde4ec" },
  { line: "#0b6b7d", fill: "#dcf2f6" },
  { line: "#6b5a00", fill: "#f7f0cf" },
  { line: "#4a4f58", fill: "#e9ebee" },
];

/** Returns the color of the signer with this index. */
export const colorOf = (index: number): SignerColor => colors[Math.max(0, index) % colors.length]!;

/** The color of text, dark enough for every fill. */
export const inkOnPaper = "#1a1c20";
