"use client";
import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/**
 * Whether the page has been hydrated. A form that the server rendered is `inert` until then, since earlier
 * input would be lost.
 */
export const useIsHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
