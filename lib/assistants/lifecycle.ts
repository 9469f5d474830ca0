/** What a workspace allows assistants. */

/** Whether a workspace's members may connect assistants, and what those may do at most. */
export const assistantPolicies = ["off", "read_only", "as_granted"] as const;
export type AssistantPolicy = (typeof assistantPolicies)[number];

/** Where no one has chosen. */
export const defaultPolicy: AssistantPolicy = "read_only";
