"use client";
/**
 * Imports what every layout and page needs, so that it is bundled once, with the outermost layout, instead of a copy
 * with each.
 */
import NextLink from "next/link";
import { PartMissing } from "./part-missing.tsx";
import { ErrorState } from "./states.tsx";

/** Renders nothing. */
export function Common() {
  return null;
}

Common.parts = [NextLink, PartMissing, ErrorState];
