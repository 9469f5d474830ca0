/** For `node --import`: sets the program's clock CLOCK_AHEAD_SECONDS ahead. */
import { setClock } from "#lib/core/clock.ts";

const aheadMs = Number(process.env.CLOCK_AHEAD_SECONDS) * 1000;
setClock(() => new Date(Date.now() + aheadMs));
