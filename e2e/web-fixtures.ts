/** What browser tests stand on: a page whose visitor is signed in already. */
import type { Page } from "@playwright/test";
import type { Role } from "#lib/scopes.ts";
import type { Workspace } from "./fixtures.ts";
import { type Member, signedIn } from "./members.ts";

/** Signs a new member of the workspace in, in the page's browser, without going through the sign-in page. */
export async function signIn(page: Page, workspace: Workspace, role: Role = "member"): Promise<Member> {
  const url = process.env.BASE_URL!;
  const member = await signedIn(workspace, role, url);
  const cookies = [...member.cookies].map(([name, value]) => ({ name, value, url, httpOnly: true }));
  await page.context().addCookies(cookies);
  return member;
}
