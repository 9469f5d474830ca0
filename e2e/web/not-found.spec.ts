/** Addresses of things that do not exist. */
import type { Workspace } from "../fixtures.ts";
import { draft } from "../signing.ts";
import { templateIn } from "../templates.ts";
import { expect, signIn, test } from "./fixtures.ts";

/** Returns one page for each kind of thing that has pages. */
async function pagesIn(workspace: Workspace): Promise<string[]> {
  const contract = await workspace.contract();
  const made = await workspace.api("POST /counterparties", { body: { name: "Alder Point Ltd" } });
  const template = await templateIn(workspace.ctx, ["{customer} buys."], {
    ...{ name: "Supply", contractType: "MSA", ourRole: "VENDOR" },
  });
  const envelope = await draft(workspace, [{ name: "Ann Ames" }]);
  return [
    `/contracts/${contract.id}`,
    `/counterparties/${made.body.counterparty.id}`,
    `/templates/${template.id}`,
    `/signatures/${envelope.id}`,
  ];
}

test("a page of another workspace or of a nonexistent record answers 404 and says “Not found”", async ({
  page,
  workspace,
  other,
}) => {
  await signIn(page, workspace);
  for (const path of await pagesIn(workspace)) {
    const found = await page.request.get(path);
    expect(found.status(), path).toBe(200);
  }
  for (const path of await pagesIn(other)) {
    for (const address of [path, `${path.slice(0, -4)}0000`]) {
      const missing = await page.goto(address);
      expect(missing?.status(), address).toBe(404);
      await expect(page.getByText("Not found")).toBeVisible();
    }
  }
});
