/** The project's folder, for files found by path: programs that run as processes of their own, fonts. */
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");

/** An absolute path in the project. */
export function projectPath(...path: string[]): string {
  return join(root, ...path);
}
