/** An unusable key file stops the start, instead of failing at the first document to be sealed. */
import { settings } from "#lib/core/env.ts";

/** Throws BadSetting. */
export async function checkSigningKey(): Promise<void> {
  if (!settings().SIGNING_P12) return;
  // Loaded late: most installations have none.
  const { checkOperatorsKey } = await import("#lib/signatures/seal/keys.ts");
  await checkOperatorsKey();
}
