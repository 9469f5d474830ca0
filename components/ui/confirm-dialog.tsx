"use client";
import type { ConfirmationProps } from "./confirmation.tsx";
import { lazily } from "./lazily.tsx";

/** Loaded lazily: dialogs are a large part of a page's scripts, and few pages start with one. */
const Confirmation = lazily(() => import("./confirmation.tsx").then((module) => module.Confirmation));

/** Asks before an action that cannot be undone. */
export function ConfirmDialog(props: ConfirmationProps) {
  return props.open ? <Confirmation {...props} /> : null;
}
