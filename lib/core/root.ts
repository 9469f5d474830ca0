/** The project's folder, for what is found by its path: programs that run as processes of their own, fonts. */
import { join } from "node:path";

const shared = globalThis as { countersignRoot?: string };

/** Tells Next's bundle, which does not know where its parts came from. */
export function provideRoot(root: string): void {
  shared.countersignRoot = root;
}

/** An absolute path in the project. */
export function inProject(...path: string[]): string {
  return join(shared.countersignRoot ?? join(import.meta.dirname, "..", ".."), ...path);
}
