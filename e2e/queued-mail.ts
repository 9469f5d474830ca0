/** E-mails as they lie in the queue, where a test puts them there itself. */
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

/** A job of `mail.send` that carries its mail itself, as servers of the version before put it there. */
export const queuedMail = (address: string) => ({
  id: randomUUID(),
  at: new Date().toISOString(),
  organizationId: "org_1",
  template: "webhook-disabled",
  letter: Buffer.from(seal(JSON.stringify(someMail(address)), "mail")).toString("base64"),
});
