import { existsSync } from "node:fs";
import type { NextConfig } from "next";

const securityHeaders = [
  { key: "x-content-type-options", value: "nosniff" },
  { key: "x-frame-options", value: "DENY" },
  { key: "referrer-policy", value: "strict-origin-when-cross-origin" },
  { key: "cross-origin-opener-policy", value: "same-origin" },
  { key: "permissions-policy", value: "camera=(), geolocation=(), microphone=(), payment=(), usb=()" },
];

const forWindowsOfOthers = { key: "cross-origin-opener-policy", value: "unsafe-none" };

const config: NextConfig = {
  poweredByHeader: false,
  // No page shows an image that has to be made smaller, and its maker would decode what strangers name.
  images: { unoptimized: true },
  experimental: {
    // Most requests are the API's, which needs no page: each is loaded when it is first asked for.
    preloadEntriesOnStart: false,
    // It makes later builds quicker and the first one slower, by a third: an installation's first build writes none.
    turbopackFileSystemCacheForBuild: existsSync(".next/countersign-sources"),
    // No one reads them, and they are a quarter of the build.
    turbopackSourceMaps: false,
    serverSourceMaps: false,
  },
  turbopack: {
    resolveAlias: {
      // Its own minifier knows it better.
      "pdfjs-dist": "pdfjs-dist/build/pdf.min.mjs",
      "pdfjs-dist/web/pdf_viewer.mjs": "./components/pdf/no-links.ts",
    },
  },
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
