"use client";
/** The result of the check: how many contracts would be created, or what to fix in the file. */
import { useEffect, useRef } from "react";
import { useCustomFields } from "#components/custom-fields/custom-fields.ts";
import { useAct } from "#components/query.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, Section } from "#components/ui/card.tsx";
import { Table, Td, Th, Tr } from "#components/ui/table.tsx";
import { counted } from "#components/words.ts";
import type { ImportReport as Report } from "#lib/imports/schema.ts";
import { errorInWords } from "./words.ts";

export function ImportReport({ report }: { report: Report }) {
  const { rows, errorCount } = report;
  // The check may have taken a while: move the focus to its result.
  const start = useRef<HTMLDivElement>(null);
  useEffect(() => start.current?.focus(), []);
  return (
    <div ref={start} tabIndex={-1} className="outline-none">
      {errorCount > 0 ? <Errors report={report} /> : rows === 0 ? <NoRows /> : <Ready report={report} />}
    </div>
  );
}

function NoRows() {
  return <p role="status">The file has no rows below its first line, so there is nothing to import.</p>;
}

function Ready({ report: { rows, contracts, counterparties } }: { report: Report }) {
  const start = useAct("imports.start", { invalidates: ["imports", "contracts", "counterparties", "home"] });
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-lg bg-tone-good px-4 py-3 text-on-good">
      <p role="status" className="min-w-0 flex-1 basis-56">
        {rows === 1 ? "The row is fine" : `All ${rows.toLocaleString("en")} rows are fine`}:{" "}
        {counted(contracts, "contract")}
        {counterparties > 0 && ` and ${counted(counterparties, "new counterparty", "new counterparties")}`}{" "}
        will be created.
      </p>
      <Button variant="primary" busy={start.isRunning} onClick={() => void start.run({}).catch(() => null)}>
        Import {counted(contracts, "contract")}
      </Button>
    </div>
  );
}

function Errors({ report: { errorCount, errors } }: { report: Report }) {
  const customFields = useCustomFields();
  return (
    <Section title={`${counted(errorCount, "error")} in the file`}>
      <p role="status" className="mb-2.5 text-quiet">
        Nothing was created. Correct the file and choose it again, or change what its columns are.
        {errorCount > errors.length && ` The first ${errors.length} are shown.`}
      </p>
      <Card className="overflow-hidden">
        <Table label="Errors">
          <thead>
            <tr>
              <Th className="w-20">Line</Th>
              <Th>What is wrong</Th>
            </tr>
          </thead>
          <tbody>
            {errors.map((error, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line may have several identical errors, and none moves.
              <Tr key={index}>
                <Td className="tabular-nums">{error.line.toLocaleString("en")}</Td>
                <Td className="wrap-anywhere">{errorInWords(error, customFields)}</Td>
              </Tr>
            ))}
          </tbody>
        </Table>
      </Card>
    </Section>
  );
}
