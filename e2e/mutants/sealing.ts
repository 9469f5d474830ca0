/** Slips that seal a request twice, or lose a stored document. */
import type { Mutant } from "./mutant.ts";

const moments = "e2e/faults/sealing-moments.spec.ts";
const sweep = "e2e/faults/sweep.spec.ts";
const sealing = "lib/signatures/seal/seal.ts";

const first = { file: sealing, find: " AND status = 'SEALING'`,", replace: "`," };
const second = {
  file: sealing,
  find: '    if (row.status !== "SEALING") return;\n    const { sha256',
  replace: "    const { sha256",
};
const third = {
  file: sealing,
  find: 'id: row.id }, status: "SEALING" },\n      data: {',
  replace: "id: row.id } },\n      data: {",
};

export const sealingAndFiles: Mutant[] = [
  {
    slip: "nothing keeps a request from being sealed a second time",
    edits: [first, second, third],
    caughtBy: {
      file: moments,
      title:
        "a request is sealed once when a worker is killed after the commit but before completing the job",
    },
  },
  {
    slip: "nothing keeps a request from being sealed again after a kill while it committed",
    edits: [first, second, third],
    caughtBy: { file: moments, title: "a request is sealed once when a worker is killed during the commit" },
  },
  {
    slip: "sealing is begun again for what is sealed",
    edits: [first],
    caughtBy: {
      file: moments,
      title:
        "a request is sealed once when a worker is killed after the commit but before completing the job",
    },
  },
  {
    slip: "a worker that was given up seals what another has sealed meanwhile",
    edits: [second, third],
    caughtBy: {
      file: moments,
      title: "a worker that resumes after another one has sealed the request changes nothing",
    },
  },
  {
    slip: "the sweep does not look again before it removes a file",
    edits: [
      {
        file: "lib/storage/sweep.ts",
        find: "    if ((await unnamed(tx, [key])).length === 0) return 0;\n",
        replace: "",
      },
    ],
    caughtBy: {
      file: sweep,
      title: "a document that becomes referenced while the sweep examines it is kept",
    },
  },
  {
    slip: "the sweep removes a file without its lock",
    edits: [
      {
        file: "lib/storage/sweep.ts",
        find: "    await lockFile(tx, key.organizationId, key.sha256);\n",
        replace: "",
      },
    ],
    caughtBy: {
      file: sweep,
      title: "a document that becomes referenced while the sweep examines it is kept",
    },
  },
  {
    slip: "the sweep removes files that are still young",
    edits: [
      {
        file: "lib/storage/sweep.ts",
        find: "    if (modifiedAt >= before) continue;\n",
        replace: "",
      },
    ],
    caughtBy: {
      file: sweep,
      title: "unreferenced files are kept for a day and during a backup, and then removed",
    },
  },
];
