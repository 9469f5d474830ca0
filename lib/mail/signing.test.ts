import { expect, test } from "@playwright/test";
import { templates } from "./templates.ts";

const about = {
  subject: "Master services agreement",
  workspaceName: "Größe & Söhne",
  senderName: "Zoë Ångström",
  senderEmail: "zoe+contracts@acme.example",
};
const url = "https://countersign.example/sign/x";
const request = {
  ...about,
  ...{ message: null, deadline: "1 March 2026 at 12:00 UTC", delegatedBy: null, isReminder: false, url },
};
const ended = { ...about, by: "Ann", reason: "Not these terms", url: null };

test("e-mails to signers show the sender with a mailto link, and the deadline, where these apply", () => {
  for (const isReminder of [false, true]) {
    const { text, html } = templates["signing-request"].render({ ...request, isReminder });
    for (const part of [
      about.senderName,
      about.workspaceName,
      "Deadline",
      request.deadline,
      about.senderEmail,
    ])
      expect(text).toContain(part);
    expect(html).toContain('href="mailto:zoe%2Bcontracts@acme.example"');
  }
  for (const name of ["signing-declined", "signing-voided"] as const) {
    const { text, html } = templates[name].render(ended);
    expect(text, name).toContain("Sent by Zoë Ångström of Größe & Söhne");
    expect(html, name).toContain("mailto:");
  }
  const expired = { subject: about.subject, deadline: request.deadline, url };
  expect(templates["signing-expired"].render(expired).text).toContain(request.deadline);
});

test("e-mails to the sender do not suggest writing to the sender", () => {
  const own = [
    templates["signing-request"].render({ ...request, isSender: true }),
    templates["signing-declined"].render({ ...ended, isSender: true, url }),
    templates["signing-voided"].render({ ...ended, isSender: true }),
    templates["signing-completed"].render({ ...about, isSender: true, url }),
  ];
  for (const { text, html } of own) {
    expect(text + html).not.toContain(about.senderEmail);
    expect(text + html).not.toContain("Write to");
    expect(text).not.toContain("Sent by");
  }
});
