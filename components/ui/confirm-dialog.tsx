"use client";
import type { ConfirmationProps } from "./confirmation.tsx";
import { lazily } from "./lazily.tsx";

/** Dialogs are a good part of a page's scripts, and few pages begin with a question. */
const Confirmation = lazily(() => import("./confirmation.tsx").then((module) => module.Confirmation));

/** Asks before something that cannot be undone. */
export function ConfirmDialog(props: ConfirmationProps) {
  return props.open ? <Confirmation {...props} /> : null;
}
