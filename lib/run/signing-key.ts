/** Makes an unusable key file fail the start, instead of the first document to be sealed. */
import { settings } from "#lib/core/env.ts";

/** Throws BadSetting. */
export async function checkSigningKey(): Promise<void> {
  if (!settings().SIGNING_P12) return;
  // Imported on demand: most installations have no key file.
  const { checkOperatorsKey } = await import("#lib/signatures/seal/keys.ts");
  await checkOperatorsKey();
}
