import { product } from "#lib/doors/product.ts";

/** Runs once in each Next server, before its first request. */
export async function register(): Promise<void> {
  // Next builds this file for the edge runtime as well, where there is no Node.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { loadProduct } = await import("#lib/run/load-product.ts");
    await loadProduct();
  }
}

/** Runs for each error of a page, before it is answered. */
export function onRequestError(error: unknown): void {
  product().recordPageError(error);
}
