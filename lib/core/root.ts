/** The project's folder, for what is found by its path: programs that run as processes of their own, fonts. */
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");

/** An absolute path in the project. */
export function inProject(...path: string[]): string {
  return join(root, ...path);
}
