/** What activity is about. Without a parser: pages offer it. */
export const activityTopics = [
  "contract",
  "documents",
  "obligations",
  "signatures",
  "comments",
  "approvals",
] as const;
export type ActivityTopic = (typeof activityTopics)[number];
