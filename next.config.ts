import type { NextConfig } from "next";

const config: NextConfig = {
  poweredByHeader: false,
  // Native or large: loaded by Node as they are, not bundled.
  serverExternalPackages: [
    "@node-rs/argon2",
    "graphile-worker",
    "ioredis",
    "nodemailer",
    "pg",
    "pino",
    "@prisma/client",
    "@prisma/adapter-pg",
    "undici",
  ],
  // `npm run check` runs the compiler on everything, not only on what Next bundles.
  typescript: { ignoreBuildErrors: true },
};

export default config;
