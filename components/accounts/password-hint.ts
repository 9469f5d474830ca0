/** The hint about requirements at a new password's field. */
export const passwordHint = "At least 10 characters, and not a common password. Several words are good.";
