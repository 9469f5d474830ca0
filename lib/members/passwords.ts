/** Passwords: how they are kept. */
import { hash, verify } from "@node-rs/argon2";

/** Argon2id, the package's default, with the cost that OWASP recommends. */
const cost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

export async function hashPassword(password: string): Promise<string> {
  return hash(password.normalize("NFKC"), cost);
}

/** Of a password that nobody knows, made with the same cost. */
const decoy =
  "$argon2id$v=19$m=19456,t=2,p=1$8Z3ClPbnCoiecTwkgEj3pg$DcFDYCJUwCqTuxV2m2ztwpsR2FdsZF+6t6fxHSGkj1w";

/** Whether this is the password. Where there is none the same work is done, so that the time tells nothing. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const fits = await verify(passwordHash ?? decoy, password.normalize("NFKC"));
  return fits && passwordHash !== null;
}
