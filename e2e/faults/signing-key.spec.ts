/** The operator's sealing key: errors in it are reported when the product starts. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { createSigningKey } from "#lib/documents/seal/signing-key.ts";
import { makeOtherKey, packPkcs12 } from "../certificates.ts";
import { inFolder } from "../sealed.ts";
import { node, root } from "../server.ts";

const day = 24 * 60 * 60 * 1000;
const password = "correct horse";

/** Returns a key with a ten-year certificate that became valid this many days ago. */
function keyFrom(daysAgo: number, organizationName = "Acme") {
  const at = new Date(Date.now() - daysAgo * day);
  return createSigningKey({ organizationId: "org_1", organizationName, at });
}

/** Starts a worker with this key. There is no database: if the key is accepted, the worker fails at that. */
async function startWith(file: string) {
  const own = { SIGNING_P12: file, SIGNING_P12_PASSWORD: password, LOG_LEVEL: "warn" };
  const env = { ...process.env, ...own, DATABASE_URL: "postgres://127.0.0.1:1/none" };
  const ended = await promisify(execFile)(node, [join(root, "lib", "run", "worker.ts")], { env }).catch(
    (error) => error,
  );
  return { code: ended.code as number, told: ended.stderr as string, log: ended.stdout as string };
}

test("a signing key that is expired, not yet valid, mismatched or unsupported prevents the start, with a reason", async () => {
  await inFolder(async (folder) => {
    const keys = {
      expired: keyFrom(3653 + 5),
      early: keyFrom(-5),
      foreign: { ...keyFrom(0), certificates: keyFrom(0, "Another").certificates },
      weak: await makeOtherKey(folder, "rsa:1024"),
      edwards: await makeOtherKey(folder, "ed25519"),
    };
    const reasons = {
      expired: /The certificate "Acme document seal" expired on 20\d\d-.*: set a file with a new one/,
      early: /The certificate "Acme document seal" is not valid before 20\d\d-.*: wait until then/,
      foreign: /The PKCS#12 file holds no certificate for its key/,
      weak: /The key must be ECDSA P-256, or RSA of at least 2,048 bits/,
      edwards: /The key must be ECDSA P-256, or RSA of at least 2,048 bits/,
    };
    for (const [name, key] of Object.entries(keys)) {
      const { code, told } = await startWith(await packPkcs12(folder, name, key, password));
      expect(told).toMatch(/^countersign worker: SIGNING_P12: /m);
      expect(told).toMatch(reasons[name as keyof typeof reasons]);
      expect([name, code]).toEqual([name, 2]);
    }
  });
});

test("a signing key whose certificate expires within 30 days is accepted with a warning in the log", async () => {
  await inFolder(async (folder) => {
    const [soon, later] = await Promise.all(
      [3650 - 20, 3650 - 40].map(async (daysAgo) =>
        startWith(await packPkcs12(folder, `from-${daysAgo}`, keyFrom(daysAgo), password)),
      ),
    );
    expect(soon!.log).toMatch(
      /"level":40.*"expiresAt":"20\d\d-.*SIGNING_P12: its certificate expires in 2\d days/,
    );
    expect(later!.log).not.toContain("expires in");
    for (const { told } of [soon!, later!]) expect(told).not.toContain("SIGNING_P12");
  });
});
