// In JavaScript: to read TypeScript, Next loads its compiler, which the server then holds for as long as it runs.

const securityHeaders = [
  { key: "x-content-type-options", value: "nosniff" },
  { key: "x-frame-options", value: "DENY" },
  { key: "referrer-policy", value: "strict-origin-when-cross-origin" },
  { key: "cross-origin-opener-policy", value: "same-origin" },
  { key: "permissions-policy", value: "camera=(), geolocation=(), microphone=(), payment=(), usb=()" },
];

const forWindowsOfOthers = { key: "cross-origin-opener-policy", value: "unsafe-none" };

/** @type {import("next").NextConfig} */
const config = {
  poweredByHeader: false,
  // No page shows an image that has to be made smaller, and its maker would decode what strangers name.
  images: { unoptimized: true },
  // Most requests are the API's, which needs no page: each is loaded when it is first asked for.
  experimental: { preloadEntriesOnStart: false },
  // Native or large: loaded by Node as they are, not bundled.
  serverExternalPackages: [
    "@aws-sdk/client-s3",
    "@fastify/busboy",
    "@node-rs/argon2",
    "graphile-worker",
    "asn1js",
    "ioredis",
    "nodemailer",
    "oidc-provider",
    "pg",
    "pino",
    "pkijs",
    "@prisma/client",
    "@prisma/adapter-pg",
    "undici",
  ],
  // Those of pages that differ from one answer to the next are in proxy.ts. The API says its own.
  headers: async () => [
    { source: "/((?!api/v1/).*)", headers: securityHeaders },
    // Assistants in a browser open these in a window of their own, which tells theirs when it has come back to them.
    ...["/connect/:request", "/sign-in"].map((source) => ({ source, headers: [forWindowsOfOthers] })),
  ],
  // `npm run check` runs the compiler on everything, not only on what Next bundles.
  typescript: { ignoreBuildErrors: true },
};

export default config;
