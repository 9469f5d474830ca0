/** Who can approve, and the possible outcomes. No zod, since pages import it. */

export const approverRoles = ["owner", "admin", "member"] as const;
export const deviations = ["CHANGED", "CHANGED_OR_NONE"] as const;
export const needs = ["ANY", "ALL"] as const;
export const answers = ["GIVEN", "SENT_BACK", "DELEGATED"] as const;
export const outcomes = ["APPROVED", "SENT_BACK", "WITHDRAWN", "REPLACED"] as const;

export const maxSteps = 10;
export const maxPeople = 20;
