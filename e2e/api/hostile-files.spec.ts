/** The corpus of hostile files: each refused with words of its own, quickly, while others go on. */
import { refused, taken } from "../corpus/files.ts";
import { type Document, inJson, uploadForm, uploadJson } from "../documents.ts";
import { expect, test } from "../fixtures.ts";

test("the corpus has at least forty files", () => {
  expect(new Set(refused.map(({ what }) => what)).size).toBeGreaterThanOrEqual(40);
});

// A few at once: the service reads two at a time, and the others wait their turn.
const groups = Map.groupBy(refused, (_, index) => index % 8);

for (const [number, group] of groups) {
  test(`hostile files are refused, each for its own reason (${number + 1} of ${groups.size})`, async ({
    workspace,
  }) => {
    test.setTimeout(120_000);
    const { id } = await workspace.contract();
    for (const [index, file] of group.entries()) {
      const document: Document = { ...file, bytes: await file.bytes() };
      // A header of a form cannot hold a line break: there such a name can only come as JSON.
      const asForm = index % 2 === 1 && !/[\r\n]/.test(file.fileName);
      const began = performance.now();
      const reply = await (asForm ? uploadForm : uploadJson)(workspace.api, id, document);
      const took = performance.now() - began;
      expect([reply.status, file.what], reply.text.slice(0, 500)).toEqual([422, file.what]);
      const { issues } = reply.body.error.details;
      const path = asForm ? "file" : `document.${file.at}`;
      expect(issues, file.what).toContainEqual({ path, message: expect.stringMatching(file.says) });
      expect(took, `${file.what} took ${Math.round(took)} ms`).toBeLessThan(15_000);
    }
    expect((await workspace.api(`GET /contracts/${id}/versions`)).body.data).toEqual([]);
  });
}

test("honest files are taken, under the names they have", async ({ workspace }) => {
  const { id } = await workspace.contract();
  for (const file of taken) {
    const reply = await uploadForm(workspace.api, id, { ...file, bytes: await file.bytes() });
    expect(reply.status, `${file.what}: ${reply.text}`).toBe(201);
    expect(reply.body.version.fileName).toBe(file.fileName);
  }
});

test("other requests stay quick while bombs are being read", async ({ workspace }) => {
  test.setTimeout(60_000);
  const { id } = await workspace.contract();
  const bomb = refused.find(({ what }) => what === "an object stream of 1.5 GB")!;
  const document = inJson({ ...bomb, bytes: await bomb.bytes() });
  let reading = 3;
  const uploads = Array.from({ length: reading }, async () => {
    const reply = await workspace.api(`POST /contracts/${id}/versions`, { body: { document } });
    reading--;
    return reply.status;
  });
  const times: number[] = [];
  while (reading > 0) {
    const began = performance.now();
    expect((await workspace.api(`GET /contracts/${id}`)).status).toBe(200);
    times.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  expect(await Promise.all(uploads)).toEqual([422, 422, 422]);
  times.sort((a, b) => a - b);
  expect(times[Math.floor(times.length / 2)]).toBeLessThan(250);
});
