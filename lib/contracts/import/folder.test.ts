/** Files beside an import are judged by processes that stay; what is said of each is what is said of an upload. */
import { expect, test } from "@playwright/test";
import { refused, type Sent, taken } from "#e2e/corpus/files.ts";
import { openInspector } from "../documents.ts";

test("a file beside an import is refused for the same reasons as an upload, and the next one is still accepted", async () => {
  test.setTimeout(120_000);
  const inspector = openInspector();
  const inspect = async (share: string, { bytes, fileName, contentType }: Sent) =>
    inspector.inspect({ bytes: await bytes(), fileName, contentType }, { share });
  // An empty upload is refused before it is looked at; names are another rule; limits are held in warm.test.ts.
  const hostile = refused.filter(
    ({ at, what, says }) =>
      at !== "fileName" && what !== "an empty file" && !/long|large|expand|grow/.test(says.source),
  );
  const judged = async (share: string, files: typeof hostile) => {
    for (const file of files) {
      const { what, says } = file;
      const found = await inspect(share, file);
      expect("wrong" in found ? found.wrong.map(({ message }) => message).join() : "taken", what).toMatch(
        says,
      );
    }
    for (const file of taken) {
      expect(await inspect(share, file), file.what).not.toHaveProperty("wrong");
    }
  };
  try {
    const half = Math.ceil(hostile.length / 2);
    await Promise.all([judged("first", hostile.slice(0, half)), judged("second", hostile.slice(half))]);
  } finally {
    inspector.close();
  }
});
