"use client";
/** The error page for failures outside the member layout: in that layout itself, and in public pages. */
export { default } from "./(member)/error.tsx";
