/** The product under `next start`: Node loads it as it stands. Under `npm start` it is there before Next is. */
import { join } from "node:path";
import { hasProduct } from "#lib/doors/product.ts";

export async function loadProduct(): Promise<void> {
  if (hasProduct()) return;
  const path = join(/* turbopackIgnore: true */ process.cwd(), "lib", "run", "product.ts");
  const { openProduct }: typeof import("./product.ts") = await import(/* turbopackIgnore: true */ path);
  openProduct();
}
