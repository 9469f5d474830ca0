/** The hint below the field of a new password. */
export const passwordHint = "At least 10 characters, and not a common password. Several words are good.";
