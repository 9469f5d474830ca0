"use client";
/** For whatever fails outside a member's frame: the frame itself, and everyone else's pages. */
export { default } from "./(member)/error.tsx";
