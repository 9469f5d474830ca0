import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, type SqlDriverAdapter } from "@prisma/driver-adapter-utils";
import type { SchemaEngine } from "@prisma/schema-engine-wasm";

type Bindings = typeof import("@prisma/schema-engine-wasm/schema_engine_bg");

export const noFilters = { externalTables: [], externalEnums: [] };

/** Prisma's schema engine as WebAssembly from npm: the engine that its command line downloads. It compares schemas. */
export async function withEngine<T>(url: string, work: (engine: SchemaEngine) => Promise<T>): Promise<T> {
  const { SchemaEngine } = await loadBindings();
  const factory = new PrismaPg({ connectionString: url, max: 1 });
  const connect = factory.connect.bind(factory);
  const adapters: SqlDriverAdapter[] = [];
  factory.connect = async () => {
    const adapter = await connect();
    adapters.push(adapter);
    return adapter;
  };
  const ignoreLog = () => undefined;
  const bound = bindMigrationAwareSqlAdapterFactory(factory);
  const engine = await SchemaEngine.new({ datamodels: undefined }, ignoreLog, bound);
  try {
    return await work(engine);
  } finally {
    engine.free();
    // The engine leaves its connections open, which would keep the process alive.
    await Promise.all(adapters.map((adapter) => adapter.dispose()));
  }
}

let loaded: Promise<Bindings> | undefined;

/** Loads them once per process: they keep views of the first instance's memory, so a second instance would crash. */
function loadBindings(): Promise<Bindings> {
  loaded ??= instantiate();
  return loaded;
}

/** The package's entry imports its .wasm as a module, which Node supports only with a flag. */
async function instantiate(): Promise<Bindings> {
  const bindings = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const folder = dirname(createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm"));
  const bytes = await readFile(join(folder, "schema_engine_bg.wasm"));
  const { instance } = await WebAssembly.instantiate(bytes, { "./schema_engine_bg.js": importsOf(bindings) });
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: reportPanic } });
  bindings.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  return bindings;
}

/** The engine never clears its 10 s lock timer. Without unref, the process would wait for it. */
function importsOf(bindings: Bindings): WebAssembly.ModuleImports {
  const imports: WebAssembly.ModuleImports = { ...bindings };
  const setter = Object.keys(imports).find((name) => name.startsWith("__wbg_setTimeout"));
  if (setter) imports[setter] = (work: () => void, ms: number) => setTimeout(work, ms >>> 0).unref();
  return imports;
}

function reportPanic(message: string): never {
  throw new Error(`Prisma's schema engine failed: ${message}`);
}
