"use client";
import { useSyncExternalStore } from "react";

const never = () => () => undefined;

/**
 * Whether the page is interactive, which it is not as the server rendered it. A form in it is `inert` until then, since
 * earlier input would be lost.
 */
export const useIsListening = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
