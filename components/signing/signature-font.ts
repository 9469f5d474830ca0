/** The hand in which typed signatures are written, here as on the sealed document. */
import localFont from "next/font/local";

export const signatureFont = localFont({
  src: "../../node_modules/@expo-google-fonts/great-vibes/400Regular/GreatVibes_400Regular.ttf",
  preload: false,
  adjustFontFallback: false,
});
