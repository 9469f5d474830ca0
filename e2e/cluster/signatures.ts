/** People: one sends requests, and two sign each at the same time, with the links in their e-mails. */
import { randomUUID } from "node:crypto";
import PostalMime from "postal-mime";
import type { Reply } from "../fixtures.ts";
import { openBrowser } from "../members.ts";
import { pdf } from "../signing.ts";
import { ask, insist, until } from "./ask.ts";
import { type Api, keepDoing, type Running } from "./clients.ts";
import type { Cluster } from "./cluster.ts";
import type { History } from "./history.ts";

type Place = Pick<Cluster, "url" | "mailbox">;

/** The owner's address as set by `workspaceIn`. */
export const senderAddress = "o@test.example";

/** A signed-in member who sends one request after another. */
export async function startSender(
  cluster: Cluster,
  history: History,
  api: Api,
  random: () => number,
): Promise<Running> {
  const browser = openBrowser(cluster.url);
  const { error } = await browser.signIn(senderAddress, "a long password");
  if (error) throw new Error(`The sender cannot sign in: ${error}`);
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return keepDoing(() => haveSigned(cluster, { history, api, cookie }), random, 2000);
}

/** One request, from a new contract to its last signature; `cookie` is the sender's. */
export async function haveSigned(
  place: Place,
  { history, api, cookie }: { history: History; api: Api; cookie: string },
): Promise<void> {
  const call = async (name: string, input: object): Promise<Reply["body"]> => {
    const key = { "idempotency-key": randomUUID() };
    const reply = await post(place, history, `/api/member/signatures.${name}`, input, { cookie, ...key });
    if (reply.status >= 300) throw new Error(`${name}: ${reply.status} ${reply.text}`);
    return reply.body.envelope;
  };
  const contract = await api.create();
  await api.upload(contract, Buffer.from(await pdf(1)));
  const { id: envelopeId, subject } = await call("createDraft", { contractId: contract.id });
  const people = ["ann", "ben"].map((name) => ({
    name,
    email: `${name}-${randomUUID()}@signers.example`,
  }));
  const { signers } = await call("updateDraft", { envelopeId, signers: people });
  const box = { type: "SIGNATURE", pageIndex: 0, xPct: 5, wPct: 30, hPct: 6 };
  const fields = signers.map(({ id }: { id: string }, index: number) => ({
    ...{ ...box, signerId: id, yPct: 5 + index * 10 },
  }));
  await call("updateDraft", { envelopeId, fields });
  await call("send", { envelopeId });
  history.add({ what: "sent", request: envelopeId, contract: contract.id });
  await Promise.all(people.map(({ email }) => sign(place, history, email)));
  history.add({
    ...{ what: "signed", request: envelopeId, subject },
    people: people.map(({ email }) => email),
  });
}

function post(
  { url }: Place,
  history: History,
  path: string,
  input: object,
  headers: Record<string, string>,
): Promise<Reply> {
  const own = { "content-type": "application/json", origin: url, "sec-fetch-site": "same-origin" };
  const init = { method: "POST", body: JSON.stringify(input), headers: { ...own, ...headers } };
  return insist(history, path, () => ask(url + path, init));
}

/** Signs with the link in the mail to this address, and follows what the page offers next. */
async function sign(place: Place, history: History, address: string): Promise<void> {
  const mail = await until(`the mail to ${address}`, () =>
    place.mailbox.received.find(({ to }) => to.includes(address)),
  );
  const { text = "" } = await PostalMime.parse(mail.raw);
  const token = /\/sign\/([\w-]+)/.exec(text)?.[1];
  const opened = await post(place, history, "/api/sign/open", { token }, {});
  if (opened.status !== 200) throw new Error(`The link of ${address}: ${opened.status} ${opened.text}`);
  const cookie = opened.headers.getSetCookie()[0]!.split(";")[0]!;
  const signerId = opened.body.state.signer.id;
  const act = async (name: string, input: object = {}) =>
    post(place, history, `/api/sign/${name}`, input, { cookie, "x-signer-id": signerId });
  await until(`the signature of ${address}`, async () => {
    const { state } = (await act("state")).body;
    if (state.screen === "consent") await act("consent", { hash: state.consent.hash });
    if (state.screen === "sign") {
      await act("adoptSignature", { kind: "typed", text: "A. Signer" });
      const values = state.fields.map(({ id }: { id: string }) => ({ fieldId: id, value: true }));
      await act("finish", { values });
    }
    return ["done", "completed"].includes(state.screen);
  });
}
