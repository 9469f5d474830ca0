/** What a new password must be, beside its field. */
export const passwordHint = "At least 10 characters, and not a common password. Several words are good.";
