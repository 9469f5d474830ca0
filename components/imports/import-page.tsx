"use client";
/** Imports contracts from a CSV file: assigns columns, previews the contracts, then creates all or none. */
import { acceptOf, tables } from "#components/accepted-files.ts";
import { useAct, useOperation } from "#components/query.tsx";
import { useMay, useRefusal } from "#components/session.tsx";
import { Progress } from "#components/ui/bits.tsx";
import { Button } from "#components/ui/button.tsx";
import { ButtonLink } from "#components/ui/button-link.tsx";
import { FileDrop, usePageDrop } from "#components/ui/file-drop.tsx";
import { lazily } from "#components/ui/lazily.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { ErrorState, SkeletonRows } from "#components/ui/states.tsx";
import { UploadStatus, useUpload } from "#components/upload.tsx";
import { counted } from "#components/words.ts";
import type { ContractImport } from "#lib/imports/schema.ts";

/** Loaded only once a file is chosen, because it includes long lists of options. */
const MappingForm = lazily(() => import("./mapping-form.tsx").then((module) => module.MappingForm), {
  loading: () => <SkeletonRows rows={6} label="Loading the columns" />,
});

/** The polling interval while the worker is busy. */
const pollMs = 700;

const isUnderWay = (state: ContractImport["state"]) => state === "CHECKING" || state === "IMPORTING";

export function ImportPage() {
  const may = useMay()("contracts:write", "counterparties:write");
  const refusal = useRefusal()("contracts:write", "counterparties:write");
  const { data, error, refetch } = useOperation(
    "imports.read",
    {},
    { everyMs: (latest) => (latest.import && isUnderWay(latest.import.state) ? pollMs : null) },
  );
  return (
    <div className="mx-auto grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-6 px-4 py-6 md:px-6">
      <PageHeader
        title="Import contracts"
        crumbs={[{ label: "Contracts", href: "/contracts" }]}
        description="From a table saved as CSV. You see what will be created first, and either all rows become contracts or none do."
      />
      {!may ? (
        <p className="text-quiet">{refusal}</p>
      ) : error && !data ? (
        <ErrorState message={error.message} requestId={error.requestId} onRetry={refetch} />
      ) : !data ? (
        <SkeletonRows rows={4} label="Loading your import" />
      ) : (
        <Current found={data.import} />
      )}
    </div>
  );
}

function Current({ found }: { found: ContractImport | null }) {
  if (!found) return <ChooseFile />;
  if (found.state === "DONE") return <Done found={found} />;
  if (found.state === "CHECKING") return <ImportProgress label={`Checking ${found.fileName}`} />;
  if (found.state === "IMPORTING") {
    const rows = found.report?.rows ?? 0;
    const said = `${counted(found.rowsDone, "contract")} of ${rows.toLocaleString("en")} created`;
    return <ImportProgress label={said} share={rows > 0 ? found.rowsDone / rows : 0} />;
  }
  return (
    <>
      <FileLine found={found} />
      <MappingForm key={found.id} found={found} />
    </>
  );
}

function ChooseFile() {
  const upload = useUpload("imports.create", { invalidates: ["imports"], accepts: tables });
  const take = (file: File) => void upload.send(file, {});
  const isOver = usePageDrop(([file]) => file && take(file));
  return (
    <div className={isOver ? "rounded-lg outline-2 outline-accent" : ""}>
      {upload.state.kind !== "sending" && (
        <FileDrop
          label="Drop a CSV here, or choose one"
          hint="At most 10 MB and 20,000 rows. Its first line must have the column names; you choose what each column is."
          accept={acceptOf(tables)}
          onFile={take}
        />
      )}
      <div className="mt-3 empty:hidden">
        <UploadStatus upload={upload} />
      </div>
    </div>
  );
}

function FileLine({ found: { fileName } }: { found: ContractImport }) {
  const discard = useAct("imports.discard", { invalidates: ["imports"] });
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-lg border border-line px-4 py-3">
      <p className="wrap-anywhere min-w-0 flex-1 basis-48 font-medium">{fileName}</p>
      <Button size="sm" busy={discard.isRunning} onClick={() => void discard.run({}).catch(() => null)}>
        Choose another file
      </Button>
    </div>
  );
}

function ImportProgress({ label, share }: { label: string; share?: number }) {
  return (
    <div role="status" className="grid gap-2">
      <p className="wrap-anywhere tabular-nums">{label}</p>
      <Progress label={label} {...(share === undefined ? {} : { value: share })} />
      <p className="text-quiet text-xs">You can leave this page in the meantime.</p>
    </div>
  );
}

function Done({ found: { fileName, report } }: { found: ContractImport }) {
  const discard = useAct("imports.discard", { invalidates: ["imports"] });
  const { contracts = 0, counterparties = 0 } = report ?? {};
  return (
    <div className="grid gap-4">
      <p role="status" className="wrap-anywhere">
        <span className="font-medium">{counted(contracts, "contract")} imported</span> from {fileName}
        {counterparties > 0 && `, with ${counted(counterparties, "new counterparty", "new counterparties")}`}.
      </p>
      <div className="flex flex-wrap gap-2">
        <ButtonLink href="/contracts?sort=createdAt" variant="primary">
          Show the contracts
        </ButtonLink>
        <Button busy={discard.isRunning} onClick={() => void discard.run({}).catch(() => null)}>
          Import another file
        </Button>
      </div>
    </div>
  );
}
