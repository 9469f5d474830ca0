/**
 * The object through which pages and route files, which Next bundles, reach the product, which Node runs once,
 * unbundled.
 */
import type { PageDoor, PageRequest } from "./page-door.ts";
import type { WebDoors } from "./web-doors.ts";

export interface Product {
  /** The members' door, for a page that is being rendered. */
  openPage(request: PageRequest): PageDoor;
  webDoors: WebDoors;
  /** Whether the server can work, part by part. */
  checkHealth(): Promise<Record<string, { ok: boolean; reason?: string }>>;
  /** Called with each error of a page, before the response. */
  recordPageError(error: unknown): void;
}

/** A process's own modules and Next's bundles share only its global object. */
const shared = globalThis as { countersign?: Product };

export function provideProduct(product: Product): void {
  shared.countersign = product;
}

export const hasProduct = (): boolean => shared.countersign !== undefined;

export function product(): Product {
  if (!shared.countersign) throw new Error("The product is not running: start it with npm start.");
  return shared.countersign;
}
