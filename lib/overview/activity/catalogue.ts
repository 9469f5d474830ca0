/** The topics of activity. No parser is imported here, since pages use this list, too. */
export const activityTopics = [
  "contract",
  "documents",
  "obligations",
  "signatures",
  "comments",
  "approvals",
] as const;
export type ActivityTopic = (typeof activityTopics)[number];
