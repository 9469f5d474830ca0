/** Passwords: which are accepted, and how they are stored. */
import { hash, verify } from "@node-rs/argon2";
import { invalid } from "#lib/core/errors.ts";

/** Argon2id, the package's default, with the cost that OWASP recommends. */
const cost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/**
 * What a new password is for: the field that an error points to, and what anyone guessing it would know of its owner.
 */
export interface PasswordUse {
  path?: string;
  about?: string[];
}

/** Hashes a new password, unless it is one that attackers try first. */
export async function hashPassword(password: string, use: PasswordUse = {}): Promise<string> {
  const { path = "password", about = [] } = use;
  const reason = await whyGuessed(password, about);
  if (reason) throw invalid({ path, message: reason });
  return hash(password.normalize("NFKC"), cost);
}

/** Fewer different characters than this make a pattern, however long the password. */
const fewestCharacters = 5;

async function whyGuessed(password: string, about: string[]): Promise<string | null> {
  const plain = password.normalize("NFKC").toLowerCase().trim();
  if (new Set(plain).size < fewestCharacters) return "repeats a few characters: use more different ones";
  // A word with a year or an exclamation mark added is tried right after the word.
  const core = plain.replace(/^[\P{L}]+|[\P{L}]+$/gu, "");
  const own = about.flatMap((text) => [text, ...text.split(/[@\s]+/)]).map((text) => text.toLowerCase());
  if (own.some((text) => text !== "" && (text === plain || text === core))) {
    return "is your own name or address: choose something that others do not know of you";
  }
  const common = await commonPasswords();
  if (common.has(plain) || common.has(core) || plain === "countersign" || core === "countersign") {
    return "is among the passwords that are guessed first: choose a longer or more unusual one";
  }
  return null;
}

let common: Promise<Set<string>> | undefined;

/** Read on first use: some fifty thousand. */
function commonPasswords(): Promise<Set<string>> {
  common ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) => new Set<string>(dictionary["passwords-common"] as string[]),
  );
  return common;
}

/** The hash of a password that nobody knows, with the same cost. */
const decoy =
  "$argon2id$v=19$m=19456,t=2,p=1$8Z3ClPbnCoiecTwkgEj3pg$DcFDYCJUwCqTuxV2m2ztwpsR2FdsZF+6t6fxHSGkj1w";

/** Whether this is the password. Without one, the same work is done, so that the time reveals nothing. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const fits = await verify(passwordHash ?? decoy, password.normalize("NFKC"));
  return fits && passwordHash !== null;
}
