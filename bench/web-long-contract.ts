/** A contract with many years of work: 200 versions, 500 comments and 2,000 events in its history. */
import { contractPdf } from "#e2e/sealing.ts";
import { memberOf, type Workspace } from "#e2e/signing.ts";
import { addComment, addReply } from "#lib/comments/comments.ts";
import { patchContract } from "#lib/contracts/contracts.ts";
import { prepareVersion } from "#lib/contracts/prepare.ts";
import { addVersion } from "#lib/contracts/versions.ts";
import { drawPreview } from "#lib/previews/draw.ts";
import { previewOf } from "#lib/previews/previews.ts";
import { store } from "#lib/storage/store.ts";

const counts = { versions: 200, threads: 102, replies: 398, events: 2000 };

const attempt = { attempts: 1, max_attempts: 1 };

/** Returns the contract's id. */
export async function longContract(workspace: Workspace): Promise<string> {
  const { ctx, organizationId } = workspace;
  const { id: contractId } = await workspace.contract({ title: "Supply of everything" });
  const bytes = await contractPdf(2);
  for (let number = 1; number <= counts.versions; number++) {
    // Bytes after the end of a PDF make it a different file.
    const stored = await store(organizationId, Buffer.concat([bytes, Buffer.from(`% ${number}\n`)]));
    const version = await addVersion(ctx, {
      ...{ contractId, source: "UPLOADED", fileName: `supply-${number}.pdf` },
      ...{ contentType: "application/pdf", pageCount: 2, ...stored },
    });
    const payload = { organizationId, versionId: version.id };
    if (number < counts.versions) continue;
    await prepareVersion(payload, attempt);
    await previewOf(ctx, { contractId, versionId: version.id });
    await drawPreview(payload, attempt);
  }
  await discuss(workspace, contractId);
  const left = counts.events - counts.versions - counts.threads - counts.replies - 1;
  for (let number = 1; number <= left; number++) {
    await patchContract(ctx, { id: contractId, title: `Supply of everything, ${number}` });
  }
  return contractId;
}

/** Many of the replies are in one thread, close to the most that one may have. */
async function discuss(workspace: Workspace, contractId: string): Promise<void> {
  const ctx = memberOf(workspace);
  const text = "Is the cap of two percent agreed with finance, and who tells the supplier?";
  let thread = "";
  for (let number = 1; number <= counts.threads; number++) {
    const { comment } = await addComment(ctx, { id: contractId, text, mentions: [], passage: null });
    thread = comment.id;
    for (let reply = 0; reply < 2; reply++) await addReply(ctx, { id: thread, text, mentions: [] });
  }
  for (let reply = 2 * counts.threads; reply < counts.replies; reply++) {
    await addReply(ctx, { id: thread, text, mentions: [] });
  }
}
