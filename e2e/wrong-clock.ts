/** For `node --import`: the machine's clock is off by CLOCK_WRONG_BY_SECONDS for all code that reads it. */
const wrongByMs = Number(process.env.CLOCK_WRONG_BY_SECONDS) * 1000;
const read = Date.now;
const now = () => read() + wrongByMs;

globalThis.Date = new Proxy(Date, {
  construct: (date, args, made) => Reflect.construct(date, args.length > 0 ? args : [now()], made),
  get: (date, name) => (name === "now" ? now : Reflect.get(date, name)),
});
Date.prototype.constructor = Date;
