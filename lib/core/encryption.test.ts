import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect, promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { secretKeyIn } from "#lib/run/embedded.ts";
import { CannotUnseal, reseal, seal, unseal } from "./encryption.ts";
import { parseSettings, provideSettings } from "./env.ts";

/** Runs `work` with another SECRET_KEY, then restores the one that this process's other tests need. */
function withKey<T>(key: string, work: () => T): T {
  const before = process.env.SECRET_KEY ?? "";
  provideSettings({ SECRET_KEY: key });
  try {
    return work();
  } finally {
    provideSettings({ SECRET_KEY: before });
  }
}

const one = "a".repeat(32);
const other = "b".repeat(32);
const secret = "whsec_Zoë 🖋";

test("a sealed secret can be unsealed, and sealing it twice gives different bytes", () => {
  withKey(one, () => {
    for (const text of [secret, "", "x".repeat(100_000)])
      expect(unseal(seal(text, "secret"), "secret")).toBe(text);
    expect(Buffer.from(seal(secret, "secret"))).not.toEqual(Buffer.from(seal(secret, "secret")));
    expect(Buffer.from(seal(secret, "secret")).includes("whsec_")).toBe(false);
  });
});

test("unsealing fails if any bit is flipped, or if the ciphertext is truncated", () => {
  withKey(one, () => {
    const sealed = seal(secret, "secret");
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const altered = sealed.slice();
      altered[bit >> 3]! ^= 1 << (bit & 7);
      expect(() => unseal(altered, "secret"), `bit ${bit}`).toThrow(CannotUnseal);
    }
    for (let length = 0; length < sealed.length; length++) {
      expect(() => unseal(sealed.subarray(0, length), "secret"), `${length}`).toThrow(CannotUnseal);
    }
  });
});

test("a secret sealed for one purpose cannot be unsealed for another", () => {
  withKey(one, () => {
    expect(() => unseal(seal(secret, "webhook secret"), "signing key")).toThrow(CannotUnseal);
  });
});

test("unsealing with another SECRET_KEY fails with an error that names SECRET_KEY, and reveals no secret", () => {
  const sealed = withKey(one, () => seal(secret, "webhook secret"));
  withKey(other, () => {
    let error: unknown;
    try {
      unseal(sealed, "webhook secret");
    } catch (thrown) {
      error = thrown;
    }
    const message =
      "A webhook secret cannot be decrypted: SECRET_KEY is not the one it was sealed with, or it was altered.";
    expect(error).toMatchObject({ name: "CannotUnseal", message });
    const all = inspect(error, { showHidden: true, depth: null });
    for (const hidden of [secret, one, other]) expect(all).not.toContain(hidden);
  });
  expect(withKey(one, () => unseal(sealed, "webhook secret"))).toBe(secret);
});

test("with SECRET_KEY_PREVIOUS, secrets sealed with the previous key can be read and sealed anew", () => {
  const sealed = withKey(one, () => seal(secret, "webhook secret"));
  withKey(other, () => {
    provideSettings({ SECRET_KEY_PREVIOUS: one });
    try {
      expect(unseal(sealed, "webhook secret")).toBe(secret);
      const anew = reseal(sealed, "webhook secret")!;
      expect(reseal(anew, "webhook secret")).toBeNull();
      provideSettings({ SECRET_KEY_PREVIOUS: "" });
      expect(unseal(anew, "webhook secret")).toBe(secret);
      expect(() => reseal(sealed, "webhook secret")).toThrow(CannotUnseal);
    } finally {
      provideSettings({ SECRET_KEY_PREVIOUS: "" });
    }
  });
});

test("a SECRET_KEY of fewer than 32 characters is refused", () => {
  const DATABASE_URL = "postgres://localhost/countersign";
  expect(() => parseSettings({ SECRET_KEY: "x".repeat(31) })).toThrow("SECRET_KEY: must have at least 32");
  expect(parseSettings({ DATABASE_URL, SECRET_KEY: one }).SECRET_KEY).toBe(one);
  expect(parseSettings({}).SECRET_KEY).toBeUndefined();
});

test("processes that create a data folder's key at once agree on one, which only its owner can read", async () => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-key-"));
  const script = `import { secretKeyIn } from ${JSON.stringify(join(import.meta.dirname, "..", "run", "embedded.ts"))};
    process.stdout.write(secretKeyIn(${JSON.stringify(folder)}));`;
  const run = () => promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
  const keys = (await Promise.all(Array.from({ length: 6 }, run))).map(({ stdout }) => stdout);
  expect(new Set(keys).size).toBe(1);
  expect(Buffer.from(keys[0]!, "base64").length).toBe(32);
  expect(readdirSync(folder)).toEqual(["secret.key"]);
  expect(statSync(join(folder, "secret.key")).mode & 0o777).toBe(0o600);
  expect(secretKeyIn(folder)).toBe(keys[0]);
  rmSync(folder, { recursive: true });
});

test("a damaged key file is reported and never replaced", () => {
  const folder = mkdtempSync(join(tmpdir(), "countersign-key-"));
  const path = join(folder, "secret.key");
  writeFileSync(path, "");
  chmodSync(path, 0o600);
  expect(() => secretKeyIn(folder)).toThrow("is damaged: restore it");
  expect(readFileSync(path, "utf8")).toBe("");
  rmSync(folder, { recursive: true });
});
