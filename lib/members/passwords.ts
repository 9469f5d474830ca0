/** Passwords: what is accepted as one, and how it is kept. */
import { hash, verify } from "@node-rs/argon2";
import { z } from "zod";

/** A new password. Spaces count, and only its length is asked for; the upper limit bounds the hashing. */
export const NewPassword = z
  .string()
  .min(8, "must have at least 8 characters")
  .max(1000, "must have at most 1000 characters");

/** Argon2id, the package's default, with the cost that OWASP recommends. */
const cost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

export async function hashPassword(password: string): Promise<string> {
  return hash(password.normalize("NFKC"), cost);
}

/** Whether this is the password. An account without one has none that fits. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  return passwordHash !== null && verify(passwordHash, password.normalize("NFKC"));
}
