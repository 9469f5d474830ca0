/** Renders a page and then tries to load a library; prints the width of the page, and the result of the attempt. */
import { projectPath } from "#lib/core/root.ts";

const [path = ""] = process.argv.slice(2);
const { drawFirstPage } = await import(projectPath("lib", "documents", "preview", "first-page.ts"));
const drawn = await drawFirstPage({ path });
const load = () => {
  try {
    process.dlopen({ exports: {} }, path);
    return "reached";
  } catch (error) {
    return (error as Error).message;
  }
};
process.stdout.write(JSON.stringify({ width: drawn.width, loaded: load() }));
