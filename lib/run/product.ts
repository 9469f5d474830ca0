/** Provides the product to pages and route files (lib/doors/product.ts). */
import { connectCounters } from "#lib/core/limits/limiter.ts";
import { PageDoor } from "#lib/doors/page-door.ts";
import { provideProduct } from "#lib/doors/product.ts";
import { webDoors } from "#lib/doors/web-doors.ts";
import { checkHealth } from "./health.ts";
import { recordPageError } from "./page-outage.ts";

export function openProduct(): void {
  connectCounters();
  provideProduct({
    openPage: (request) => new PageDoor(request),
    webDoors,
    checkHealth,
    recordPageError,
  });
}
