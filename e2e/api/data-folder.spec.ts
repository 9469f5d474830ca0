/** The default DATA_DIR: relative to the folder in which the server was started. */
import { relative } from "node:path";
import { form, uploadForm } from "../documents.ts";
import { docx, docxType, paragraph } from "../docx.ts";
import { expect, test } from "../fixtures.ts";
import { install } from "../installation.ts";
import { pdfOf } from "../pdf.ts";
import { root } from "../server.ts";

test("uploading, rendering, reading, sealing and verifying documents work with a relative DATA_DIR", async () => {
  test.setTimeout(300_000);
  const product = await install({}, (folder) => relative(root, folder));
  try {
    const { api, ownerId, environment, server } = product;
    expect(environment.DATA_DIR).toMatch(/^\.\./);
    const fields = { title: "Agreement", type: "NDA", ourRole: "VENDOR", ownerId };
    const { id } = (await api("POST /contracts", { body: fields })).body.contract;
    const pdf = await pdfOf([["Agreed."]]);
    const word = docx({ body: paragraph("Agreed.") });
    for (const document of [
      { fileName: "a.pdf", contentType: "application/pdf", bytes: pdf },
      { fileName: "a.docx", contentType: docxType, bytes: word },
    ]) {
      const reply = await uploadForm(api, id, document);
      expect(reply.status, reply.text).toBe(201);
    }
    const [envelopeId] = (await product.sign(1)).signed;
    await product.work().ready;
    const prepared = () =>
      product.select<{ state: string; pdf: string }>(
        `SELECT text_state AS state, pdf_state AS pdf FROM document_versions
         WHERE contract_id = '${id}' ORDER BY version_number`,
      );
    await expect
      .poll(prepared, { timeout: 150_000 })
      .toMatchObject([{ state: "READY" }, { state: "READY", pdf: "READY" }]);
    const envelope = async () => (await api(`GET /signatures/${envelopeId}`)).body.envelope;
    await expect.poll(async () => (await envelope()).status, { timeout: 90_000 }).toBe("COMPLETED");
    const { url } = (await api(`GET /signatures/${envelopeId}/pdf`)).body;
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
    const { raw, headers } = form({ fileName: "signed.pdf", contentType: "application/pdf", bytes });
    const checked = await fetch(`${server.url}/api/member/verification.check`, {
      ...{ method: "POST", body: raw, headers: { ...headers, origin: server.url } },
    });
    expect((await checked.json()).verification).toMatchObject({ ok: true });
  } finally {
    await product.close();
  }
});
