/** Signs in as a seeded member. */
import pg from "pg";
import { openBrowser } from "#e2e/members.ts";
import { hashPassword } from "#lib/people/users/passwords.ts";

export interface Cookie {
  name: string;
  value: string;
  url: string;
}

const password = "what an owner of a bench signs in with";

export async function signIn(databaseUrl: string, userId: string, url: string): Promise<Cookie[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query(
    "UPDATE users SET password_hash = $2, email_verified_at = now() WHERE id = $1 RETURNING email",
    [userId, await hashPassword(password)],
  );
  await client.end();
  const browser = openBrowser(url);
  const { error } = await browser.signIn(rows[0].email, password);
  if (error) throw new Error(`The owner of the bench could not sign in: ${error}`);
  return [...browser.cookies].map(([name, value]) => ({ name, value, url }));
}

/** Formats cookies for a request header. */
export const cookieHeader = (cookies: Cookie[]): string =>
  cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
