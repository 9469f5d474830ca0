/** Default settings must be safe on public servers: sign-up, webhooks to private addresses, and the demo. */
import { expect, test } from "@playwright/test";
import { parseSettings } from "./env.ts";

const doors = (environment: Record<string, string | undefined>) => {
  const { SIGN_UP, WEBHOOK_ALLOW_PRIVATE } = parseSettings(environment);
  return `${SIGN_UP} ${WEBHOOK_ALLOW_PRIVATE}`;
};

const forThisMachine = [
  {},
  { DATABASE_URL: "postgres://db.example/countersign" },
  { HOST: "localhost", BASE_URL: "http://LOCALHOST:8080/" },
  { HOST: "::1", BASE_URL: "http://[::1]:3000" },
  { HOST: "127.0.0.2", BASE_URL: "https://127.1:8443" },
  { HOST: "::ffff:127.0.0.1" },
];

const forOthers = [
  { HOST: "0.0.0.0" },
  { HOST: "::" },
  { HOST: "192.168.1.4" },
  { HOST: "server.example" },
  { HOST: "127.0.0.1.example" },
  { BASE_URL: "https://contracts.example" },
  { BASE_URL: "https://localhost.example" },
  { BASE_URL: "http://127.0.0.1@contracts.example" },
  { BASE_URL: "http://10.0.0.7:3000" },
  { HOST: "0.0.0.0", BASE_URL: "http://localhost:3000" },
];

test("sign-up and private webhook targets are allowed by default if only this machine can reach the server", () => {
  for (const environment of forThisMachine) {
    expect(doors(environment), JSON.stringify(environment)).toBe("open true");
  }
});

test("sign-up and private webhook targets are off by default if HOST or BASE_URL lets others reach the server", () => {
  for (const environment of forOthers) {
    expect(doors(environment), JSON.stringify(environment)).toBe("closed false");
  }
});

test("SIGN_UP and WEBHOOK_ALLOW_PRIVATE override their defaults, whoever can reach the server", () => {
  const open = { SIGN_UP: "open", WEBHOOK_ALLOW_PRIVATE: "1" };
  const closed = { SIGN_UP: "closed", WEBHOOK_ALLOW_PRIVATE: "0" };
  expect(doors({ ...open, HOST: "0.0.0.0", BASE_URL: "https://contracts.example" })).toBe("open true");
  expect(doors(closed)).toBe("closed false");
});

test("unless SEED is set, a demo workspace is created only if no other machine can reach the server", () => {
  const seed = (environment: Parameters<typeof parseSettings>[0]) => parseSettings(environment).SEED;
  for (const environment of forThisMachine) {
    expect(seed(environment), JSON.stringify(environment)).toBe("demo");
    expect(seed({ ...environment, SEED: "none" }), JSON.stringify(environment)).toBe("none");
  }
  for (const environment of forOthers) {
    expect(seed(environment), JSON.stringify(environment)).toBe("none");
    expect(seed({ ...environment, SEED: "demo" }), JSON.stringify(environment)).toBe("demo");
  }
});

test("a DATABASE_URL with several hosts is refused with the reason", () => {
  for (const DATABASE_URL of [
    "postgresql://a,b/x?target_session_attrs=read-write",
    "postgres://u:p@a:1,b:2/x",
  ]) {
    expect(() => parseSettings({ DATABASE_URL })).toThrow(/^DATABASE_URL: must name one host/);
  }
  expect(parseSettings({ DATABASE_URL: "postgres://u:p,q@a/x" }).DATABASE_URL).toContain("p,q");
});
