/** `npm run bench`: measures the product's speed against a plainly written server. */
import { allBench } from "./all.ts";
import { apiBench } from "./api.ts";
import { parseFlags, usage } from "./flags.ts";
import { hotBench } from "./hot.ts";
import { importBench } from "./import.ts";
import { installBench } from "./install.ts";
import { listsBench } from "./lists.ts";
import { loadBench } from "./load.ts";
import { obligationsBench } from "./obligations.ts";
import { renderBench } from "./render.ts";
import { rollingBench } from "./rolling.ts";
import { sealBench } from "./seal.ts";
import { searchBench } from "./search.ts";
import { soakBench } from "./soak.ts";
import { uploadsBench } from "./uploads.ts";
import { webBench } from "./web.ts";
import { webhooksBench } from "./webhooks.ts";

const benches: Record<string, (flags: ReturnType<typeof parseFlags>) => Promise<void>> = {
  all: allBench,
  api: apiBench,
  hot: hotBench,
  import: importBench,
  install: installBench,
  lists: listsBench,
  load: loadBench,
  obligations: obligationsBench,
  render: renderBench,
  rolling: rollingBench,
  seal: sealBench,
  search: searchBench,
  soak: soakBench,
  uploads: uploadsBench,
  web: webBench,
  webhooks: webhooksBench,
};

try {
  const flags = parseFlags(process.argv.slice(2));
  const bench = benches[flags.bench];
  if (!bench) throw new TypeError(`There is no bench ${flags.bench}: ${Object.keys(benches).join(", ")}.`);
  await bench(flags);
} catch (error) {
  const isMisuse = error instanceof TypeError && "code" in error === false;
  console.error(isMisuse ? `${error.message}\n\n${usage}` : error);
  process.exitCode = isMisuse ? 2 : 1;
}
