"use client";
/**
 * What every layer of a page needs: its frame, the page itself, and what is shown where one of them fails. It comes with
 * the outermost layer, for each of the others would bring a copy of its own, and every page would load three.
 */
import NextLink from "next/link";
import { PartMissing } from "./part-missing.tsx";
import { ErrorState } from "./states.tsx";

/** Shows nothing. */
export function Common() {
  return null;
}

Common.parts = [NextLink, PartMissing, ErrorState];
