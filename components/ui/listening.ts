"use client";
import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/**
 * Whether the page listens: not as the server wrote it. A form that comes with it is `inert` until then, for what is
 * typed into it before would be gone.
 */
export const useIsListening = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
