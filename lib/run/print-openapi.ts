/** Prints the API description: `npm run -s openapi > openapi.json`. */
import { openapi } from "#lib/openapi/document.ts";

process.stdout.write(`${JSON.stringify(JSON.parse(openapi()), null, 2)}\n`);
