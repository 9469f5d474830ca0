import type { Metadata, Viewport } from "next";
import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import { Common } from "#components/ui/common.tsx";
import { FallbackFonts } from "#components/ui/fallback-fonts.tsx";
import { StyleNonce } from "#components/ui/style-nonce.tsx";
import { fonts } from "./fonts.ts";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "Countersign", template: "%s · Countersign" },
  description: "Contract management that you run yourself",
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f6f5f1" },
    { media: "(prefers-color-scheme: dark)", color: "#101216" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get("x-nonce");
  const theme = (await cookies()).get("theme")?.value;
  return (
    <html lang="en" className={fonts} data-theme={theme === "dark" || theme === "light" ? theme : undefined}>
      <body className="font-sans">
        <StyleNonce nonce={nonce} />
        <FallbackFonts />
        <Common />
        {children}
      </body>
    </html>
  );
}
