import type { KeyboardEvent } from "react";

/**
 * Enter, Escape and arrows may be meant for what is composed of several keys, as Japanese is, and not for the page. In
 * Safari the composition has ended by then.
 */
export const isOfComposition = ({ nativeEvent }: Pick<KeyboardEvent, "nativeEvent">): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === 229;
