import { parseArgs } from "node:util";

export const usage = `npm run bench -- [all|api|hot|import|install|lists|load|obligations|render|rolling|seal|search|soak|uploads|web|webhooks]
  [flags]
  all            every part that has limits and needs nothing else, with its own flags; takes --json alone,
                 and prints an object of each then
  --seconds N    length of a slice (2); webhooks: of a tenth of the load;
                 load: of a tenth of a step, and of a thirtieth of signing
  --sizes LIST   lists: how many contracts (1000,100000); 1000000 takes several minutes to seed
  --rounds N     slices of each server in each operation (3); lists: tens of requests of each kind;
                 webhooks: backlogs that are sent;
                 seal: documents of each size; web: loads of each page and of the 80-page ceremony,
                 and openings of the palette and turns of the links (9 at least)
  --only TEXT    only operations whose name contains this, such as "list" or "page 1 cold";
                 webhooks: delay or backlog; uploads: memory or kills;
                 seal: requests; web: table, moves, ceremony, page, or a part of a page's name
  --tamper       seal: changes 1,000 single bytes and appends 100 times, and counts what is found
  --large        adds a workspace of 1,000,000 contracts, for the check that lists cost the same
  --keep DIR     keeps the database in this folder and uses it again the next time
  --data DIR     search: the folder of clauses.jsonl.gz, queries.jsonl and judgements.tsv.gz;
                 obligations: the folder of contracts.jsonl.gz
  --queries FILE, --judgements FILE
                 search: instead of those of the folder
  --clauses N    search: also measures among so many clauses in ten workspaces, beside 20 changes a second
  --requests N   rolling: how many in all (100000)
  --minutes N    soak: for how long (60); less than an hour says little
  --rate N       rolling, soak: requests a second (200; 40)
  load, rolling and soak need haproxy.
  --json         one JSON object on stdout
  --server CMD   measures this command instead of what npm start runs`;

export interface Flags {
  bench: string;
  seconds: number;
  rounds: number;
  only: string;
  sizes: number[];
  tamper: boolean;
  large: boolean;
  data: string | undefined;
  queries: string | undefined;
  judgements: string | undefined;
  clauses: number;
  requests: number;
  minutes: number;
  /** 0 means the bench's own default. */
  rate: number;
  keep: string | undefined;
  json: boolean;
  server: string | undefined;
}

/** Throws a TypeError for unknown or invalid flags. */
export function parseFlags(args: string[]): Flags {
  const { values, positionals } = read(args);
  const seconds = Number(values.seconds);
  const rounds = Number(values.rounds);
  if (!(seconds > 0) || !(rounds >= 1))
    throw new TypeError("--seconds and --rounds must be numbers above 0.");
  const clauses = Number(values.clauses);
  if (!Number.isInteger(clauses) || clauses < 0) throw new TypeError("--clauses must be a whole number.");
  const requests = Number(values.requests);
  const minutes = Number(values.minutes);
  const rate = Number(values.rate);
  if (!(requests >= 1) || !(minutes > 0) || !(rate >= 0))
    throw new TypeError("--requests and --minutes must be numbers above 0, --rate 0 or more.");
  const sizes = values.sizes.split(",").map(Number);
  return {
    ...values,
    seconds,
    rounds,
    clauses,
    requests,
    minutes,
    rate,
    sizes,
    bench: positionals[0] ?? "api",
  } as Flags;
}

function read(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        seconds: { type: "string", default: "2" },
        rounds: { type: "string", default: "3" },
        only: { type: "string", default: "" },
        sizes: { type: "string", default: "1000,100000" },
        tamper: { type: "boolean", default: false },
        large: { type: "boolean", default: false },
        data: { type: "string" },
        queries: { type: "string" },
        judgements: { type: "string" },
        clauses: { type: "string", default: "0" },
        requests: { type: "string", default: "100000" },
        minutes: { type: "string", default: "60" },
        rate: { type: "string", default: "0" },
        keep: { type: "string" },
        json: { type: "boolean", default: false },
        server: { type: "string" },
      },
    });
  } catch (error) {
    throw new TypeError((error as Error).message);
  }
}

/** Prints progress to stderr: stdout is for the result. */
export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
