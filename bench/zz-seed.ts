import { openDatabase } from "./database.ts";
import { seeded } from "./seed.ts";
const d = await openDatabase("/tmp/csbench");
console.time("seed");
await seeded(d, ["small", "main"]);
console.timeEnd("seed");
await d.close();
