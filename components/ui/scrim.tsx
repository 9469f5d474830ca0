"use client";
import { Dialog as Radix } from "radix-ui";
import type { ComponentProps } from "react";

/**
 * Darkens the page under a dialog and blocks clicks on it. The portal around it passes it the ref that it
 * uses to unmount it.
 */
export function Scrim(props: Omit<ComponentProps<typeof Radix.Overlay>, "className">) {
  return <Radix.Overlay {...props} className="fixed inset-0 z-40 bg-scrim data-[state=open]:animate-fade" />;
}
