/** The demo company and its members. */
import type { Role } from "#lib/core/scopes.ts";

export const company = "Arvenholt Robotics";

export const members = {
  eleni: { name: "Ελένη Παπαδοπούλου", email: "eleni.papadopoulou@arvenholt.example", role: "owner" },
  marcus: { name: "Marcus Adeyemi", email: "marcus.adeyemi@arvenholt.example", role: "admin" },
  minjun: { name: "김민준", email: "minjun.kim@arvenholt.example", role: "member" },
  sofia: { name: "Sofía Rivas Ortega", email: "sofia.rivas@arvenholt.example", role: "member" },
  tomasz: { name: "Tomasz Wiśniewski", email: "tomasz.wisniewski@arvenholt.example", role: "member" },
  amara: { name: "Amara Nwosu-Clarke", email: "amara.nwosu@arvenholt.example", role: "member" },
  yuki: { name: "田中 優希", email: "yuki.tanaka@arvenholt.example", role: "member" },
  priya: { name: "Priya Raghunathan", email: "priya.raghunathan@arvenholt.example", role: "viewer" },
} as const satisfies Record<string, { name: string; email: string; role: Role }>;

export type Member = keyof typeof members;

/** Who founded the workspace. The demo's credentials are theirs. */
export const founder: Member = "eleni";

export const invited = { email: "noor.haddad@arvenholt.example", by: "marcus" as Member };
