import { clsx } from "clsx";

/**
 * The classes of inputs, selects and other form controls. The font size is 16 px on phones, since iOS zooms
 * in on focus if it is smaller.
 */
export const controlClass = clsx(
  "w-full min-w-0 rounded-md border border-edge bg-paper px-2.5 text-ink shadow-low",
  "text-[1rem] sm:text-sm outline-offset-0 transition-colors duration-100 hover:border-quiet",
  "disabled:cursor-not-allowed disabled:bg-well disabled:text-faint aria-invalid:border-danger",
  // Restricted to these elements, since :read-only also matches selects and buttons.
  "[&:is(input,textarea):read-only]:bg-well",
);
