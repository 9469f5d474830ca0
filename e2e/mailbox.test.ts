import { once } from "node:events";
import { connect } from "node:net";
import { expect, test } from "@playwright/test";
import { openMailbox } from "./mailbox.ts";

const from = "MAIL FROM:<a@acme.example>";
const to = "RCPT TO:<b@acme.example>";

/** Sends the lines one by one, each after the response to the one before. */
async function say(port: number, lines: string[]) {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "data");
  for (const line of lines) {
    socket.write(`${line}\r\n`);
    await once(socket, "data");
  }
  return socket;
}

test("a sender killed in the middle of an e-mail does not stop the test mail server", async () => {
  const mailbox = await openMailbox();
  const port = Number(new URL(mailbox.url).port);
  for (const half of [[from], [from, to], [from, to, "DATA"]]) {
    (await say(port, ["HELO a", ...half])).resetAndDestroy();
  }
  (await say(port, ["HELO a", from, to, "DATA", "Whole.\r\n."])).destroy();
  await mailbox.until(1);
  expect(mailbox.received.map(({ raw }) => raw)).toEqual(["Whole.\r\n"]);
  await mailbox.close();
});
