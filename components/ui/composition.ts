import type { KeyboardEvent } from "react";

/**
 * Whether a key press belongs to an IME composition, as for Japanese. Enter, Escape and arrow keys are then
 * meant for the composition, not for the page. Safari ends the composition before this event, but reports key
 * code 229.
 */
export const isOfComposition = ({ nativeEvent }: Pick<KeyboardEvent, "nativeEvent">): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === 229;
