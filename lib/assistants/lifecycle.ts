/** The policies of workspaces about assistants. */

/** Whether a workspace's members may connect assistants, and the most that assistants may do. */
export const assistantPolicies = ["off", "read_only", "as_granted"] as const;
export type AssistantPolicy = (typeof assistantPolicies)[number];

/** The policy of a workspace that has not chosen one. */
export const defaultPolicy: AssistantPolicy = "read_only";
