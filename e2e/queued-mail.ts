/** E-mails as they are stored in the queue, for tests that queue them directly. */
import { randomUUID } from "node:crypto";
import { seal } from "#lib/core/encryption.ts";

export const someMail = (address: string) => ({
  template: "webhook-disabled" as const,
  to: { address, name: "Olive" },
  data: {
    workspaceName: "Acme",
    endpointUrl: "https://hooks.example.com/",
    reason: "5 days of failures",
    settingsUrl: "https://countersign.example/settings",
  },
});

/** A `mail.send` job that contains its mail, as servers of the previous version queue it. */
export const queuedMail = (address: string) => ({
  id: randomUUID(),
  at: new Date().toISOString(),
  organizationId: "org_1",
  template: "webhook-disabled",
  letter: Buffer.from(seal(JSON.stringify(someMail(address)), "mail")).toString("base64"),
});
