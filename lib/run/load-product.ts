/** Loads the product under `next start`, without bundling it. Under `npm start` it is loaded before Next. */
import { join } from "node:path";
import { hasProduct } from "#lib/doors/product.ts";

export async function loadProduct(): Promise<void> {
  if (hasProduct()) return;
  const path = join(/* turbopackIgnore: true */ process.cwd(), "lib", "run", "product.ts");
  const { openProduct }: typeof import("./product.ts") = await import(/* turbopackIgnore: true */ path);
  openProduct();
}
