import { clsx } from "clsx";

/** The look of everything that is typed into. 16 px on phones, or the browser zooms in. */
export const controlClass = clsx(
  "w-full min-w-0 rounded-md border border-edge bg-paper px-2.5 text-ink shadow-low",
  "text-[1rem] sm:text-sm outline-offset-0 transition-colors duration-100 hover:border-quiet",
  "disabled:cursor-not-allowed disabled:bg-well disabled:text-faint aria-invalid:border-danger",
  // Selects and buttons count as read-only, too.
  "[&:is(input,textarea):read-only]:bg-well",
);
