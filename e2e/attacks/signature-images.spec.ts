/** How signers can affect others with images of signatures. */
import { randomBytes } from "node:crypto";
import { deflateSync } from "node:zlib";
import { db } from "#lib/core/db.ts";
import { readStored } from "#lib/storage/store.ts";
import { expect, test } from "../fixtures.ts";
import { png, scribble } from "../sealing.ts";
import { sent, signerAt } from "../signing.ts";

const drawn = (image: string) => ({ kind: "drawn", image });

/** Returns a black image of the largest size allowed. */
const largest = () => png(2000, 1000, Buffer.alloc(2000 * 1000 * 4, 255).fill(Buffer.from([0, 0, 0, 255])));

test("a large signature image is scaled down to at most 600 x 200 pixels", async ({ workspace }) => {
  const envelope = await sent(workspace, [{ name: "Ann" }]);
  const signer = await signerAt(workspace, envelope);
  await signer.agree();
  for (const [image, width, height] of [
    [largest().toString("base64"), 400, 200],
    [
      png(1800, 90, Buffer.alloc(1800 * 90 * 4, 255).fill(Buffer.from([0, 0, 0, 255]))).toString("base64"),
      600,
      30,
    ],
  ] as const) {
    await signer.act("adoptSignature", drawn(image));
    const { signatureSha256 } = await db.signer.findFirstOrThrow({ where: { id: envelope.signers[0].id } });
    const kept = await readStored(workspace.organizationId, signatureSha256!);
    expect([kept.readUInt32BE(16), kept.readUInt32BE(20)]).toEqual([width, height]);
  }
  await signer.act("adoptSignature", drawn(scribble(300, 90)));
});

test("a signer who may not sign is refused before their signature image is read", async ({ workspace }) => {
  const envelope = await sent(workspace, [{ name: "Ann" }, { name: "Ben", orderIndex: 1 }]);
  const noImage = drawn(Buffer.from("no image at all").toString("base64"));
  const ann = await signerAt(workspace, envelope, 0);
  await expect(ann.act("adoptSignature", noImage)).rejects.toThrow("Agree to sign electronically first.");
  const ben = await signerAt(workspace, envelope, 1);
  await expect(ben.act("adoptSignature", noImage)).rejects.toThrow("It is not your turn yet");
  await ann.sign();
  await expect(ann.act("adoptSignature", noImage)).rejects.toThrow("You have already signed.");
});

test("invalid, truncated and bomb images are refused with a validation error for the image field", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann" }]);
  const signer = await signerAt(workspace, envelope);
  await signer.agree();
  const bomb = largest();
  // Far more data than its declared size needs.
  const at = bomb.indexOf("IDAT") - 4;
  const data = deflateSync(Buffer.alloc(64 * 1024 * 1024));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const unpacked = Buffer.concat([bomb.subarray(0, at), length, Buffer.from("IDAT"), data]);
  for (const image of [Buffer.from("<svg/>"), randomBytes(1000), unpacked, bomb.subarray(0, 60)]) {
    const refusal = await signer
      .act("adoptSignature", drawn(image.toString("base64")))
      .catch((error) => error);
    expect(refusal).toMatchObject({ code: "validation_error", issues: [{ path: "image" }] });
  }
});

test("the 31st signature image from a signer is rate limited, and other signers are not affected", async ({
  workspace,
}) => {
  const envelope = await sent(workspace, [{ name: "Ann" }, { name: "Ben" }]);
  const [ann, ben] = [await signerAt(workspace, envelope, 0), await signerAt(workspace, envelope, 1)];
  await ann.agree();
  await ben.agree();
  const noImage = drawn(Buffer.from("no image").toString("base64"));
  const codes: string[] = [];
  for (let count = 0; count < 31; count++) {
    codes.push((await ann.act("adoptSignature", noImage).catch((error) => error)).code);
  }
  expect(codes).toEqual([...Array(30).fill("validation_error"), "rate_limited"]);
  await ben.act("adoptSignature", drawn(scribble(30, 20)));
});
