"use client";
/** The actions on a template that the member may perform. */
import { Archive, ArchiveRestore, Download, FileUp, MoreHorizontal, Pencil } from "lucide-react";
import { useState } from "react";
import { useAct } from "#components/query.tsx";
import { useMay } from "#components/session.tsx";
import { IconButton } from "#components/ui/button.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { download } from "#components/ui/download.ts";
import { lazily } from "#components/ui/lazily.tsx";
import { Menu, MenuItem } from "#components/ui/menu.tsx";
import { useToast } from "#components/ui/toast.tsx";
import type { TemplateDetail } from "./templates-page.tsx";

const UploadDialog = lazily(() => import("./upload-dialog.tsx").then((module) => module.UploadDialog));

export function TemplateActions({
  template: { id, name, revision, archivedAt },
}: {
  template: TemplateDetail;
}) {
  const may = useMay();
  const toast = useToast();
  const [replacing, setReplacing] = useState(false);
  const options = { invalidates: ["templates", "auditEvents"] } as const;
  const archive = useAct("templates.archive", options);
  const restore = useAct("templates.restore", options);
  const link = useAct("templates.documentUrl");
  const quietly = (done: Promise<unknown>) => void done.catch(() => undefined);
  const setArchived = async (isArchived: boolean) => {
    await (isArchived ? archive : restore).run({ id });
    const title = isArchived ? "Template archived" : "Template restored";
    toast({ title, detail: name, undo: () => quietly((isArchived ? restore : archive).run({ id })) });
  };
  const downloadDocument = async () => {
    const { url } = await link.run({ id });
    download(url);
  };
  const mayWrite = may("templates:write");
  return (
    <>
      {archivedAt === null && may("contracts:write") && (
        <ButtonLink href={`/templates/${id}/use`} variant="primary">
          Use template
        </ButtonLink>
      )}
      {mayWrite && (
        <ButtonLink href={`/templates/${id}/edit`}>
          <Pencil aria-hidden />
          Edit settings
        </ButtonLink>
      )}
      <Menu
        align="end"
        label="More"
        trigger={
          <IconButton label="More about the template" variant="secondary">
            <MoreHorizontal aria-hidden />
          </IconButton>
        }
      >
        <MenuItem icon={<Download aria-hidden />} onSelect={() => quietly(downloadDocument())}>
          Download the DOCX
        </MenuItem>
        {mayWrite && (
          <MenuItem icon={<FileUp aria-hidden />} onSelect={() => setReplacing(true)}>
            Replace the document
          </MenuItem>
        )}
        {mayWrite && (
          <MenuItem
            icon={archivedAt ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />}
            onSelect={() => quietly(setArchived(archivedAt === null))}
          >
            {archivedAt ? "Restore" : "Archive"}
          </MenuItem>
        )}
      </Menu>
      {replacing && <UploadDialog replaces={{ id, revision }} onClose={() => setReplacing(false)} />}
    </>
  );
}
