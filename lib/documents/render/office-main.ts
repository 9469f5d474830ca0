/**
 * The program started by lib/documents/render/office.ts: LibreOffice, compiled to WebAssembly, in a process of its
 * own. It reports when it is ready, then returns the PDF of each DOCX it receives, or the error.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { createConverter, type WasmLoaderModule } from "@matbee/libreoffice-converter/server";

export type OfficeMessage = { ready: true } | { pdf: Uint8Array } | { error: string };

const require = createRequire(import.meta.url);
const wasmPath = dirname(require.resolve("@matbee/libreoffice-converter/wasm/loader"));

/**
 * LibreOffice's fonts (Liberation, Carlito, Caladea, DejaVu, Noto for Arabic, Hebrew and more) do not include
 * Chinese, Japanese or Korean. The same families are stamped onto PDFs.
 */
const fontFiles = [
  "fonts-kr/fonts/NotoSansKR-Regular.otf",
  "fonts-kr/fonts/NotoSansKR-Bold.otf",
  "fonts-jp/fonts/NotoSansJP-Regular.otf",
  "fonts-jp/fonts/NotoSansJP-Bold.otf",
  "fonts-sc/fonts/NotoSansHans-Regular.otf",
  "fonts-sc/fonts/NotoSansHans-Bold.otf",
];

function readFonts() {
  const fonts = join(wasmPath, "..", "..", "..", "@embedpdf");
  return fontFiles.map((file) => ({
    filename: file.split("/").at(-1)!,
    data: new Uint8Array(readFileSync(join(fonts, file))),
  }));
}

type ThreadInit = (
  block: number,
  isMain: number,
  isRuntime: number,
  canBlock: number,
  ...rest: number[]
) => void;

/**
 * The package's loader, with two changes. As published, LibreOffice's own program also runs, in another thread, while
 * the converter initializes the same LibreOffice: on a busy machine one start of fourteen hung, and now and then a
 * document became an empty page. And its first thread sleeps while it waits for another thread, which may need the
 * first to open a file: half of all starts or first conversions then hung for half a minute or forever. Told that it
 * cannot sleep, as in a browser, it serves other threads while it waits.
 */
function wasmLoader(): WasmLoaderModule {
  const loader: WasmLoaderModule = require("@matbee/libreoffice-converter/wasm/loader");
  const wasmBinary = readFileSync(join(wasmPath, "soffice.wasm"));
  return {
    createModule: (config) =>
      loader.createModule({
        ...config,
        noInitialRun: true,
        // Passed in, so that the loader does not keep a copy.
        wasmBinary,
        instantiateWasm(imports: WebAssembly.Imports, receive: (instance: object, module: object) => void) {
          WebAssembly.instantiate(wasmBinary, imports).then(({ instance, module }) => {
            const init = instance.exports._emscripten_thread_init as ThreadInit;
            const withoutSleep: ThreadInit = (block, isMain, isRuntime, _, ...rest) =>
              init(block, isMain, isRuntime, 0, ...rest);
            receive({ exports: { ...instance.exports, _emscripten_thread_init: withoutSleep } }, module);
          }, exitWithError);
          return {};
        },
      }),
  };
}

const sendMessage = (said: OfficeMessage) => process.send?.(said);

function exitWithError(error: unknown): never {
  sendMessage({ error: error instanceof Error ? error.message : String(error) });
  process.exit(1);
}

/** LibreOffice keeps this thread busy, so another thread checks whether the parent process still exists. */
function endWithParent(): void {
  const watch = `const { ppid } = process;
    setInterval(() => process.ppid === ppid || process.kill(process.pid, "SIGKILL"), 1000);`;
  new Worker(watch, { eval: true }).unref();
  process.once("disconnect", () => process.exit());
}

endWithParent();
const office = await createConverter({ wasmPath, fonts: readFonts(), wasmLoader: wasmLoader() }).catch(
  exitWithError,
);
process.on("message", async (docx: Uint8Array) => {
  try {
    sendMessage({ pdf: (await office.convert(docx, { outputFormat: "pdf" }, "document.docx")).data });
  } catch (error) {
    exitWithError(error);
  }
});
sendMessage({ ready: true });
