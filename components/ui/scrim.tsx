"use client";
import { Dialog as Radix } from "radix-ui";
import type { ComponentProps } from "react";

/** What darkens the page under a dialog, and keeps clicks from it. The portal around it hands it what it needs to close. */
export function Scrim(props: Omit<ComponentProps<typeof Radix.Overlay>, "className">) {
  return <Radix.Overlay {...props} className="fixed inset-0 z-40 bg-scrim data-[state=open]:animate-fade" />;
}
