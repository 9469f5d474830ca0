"use client";
/** Warns owners and admins that their own request came through a reverse proxy unknown to this server. */
import { TriangleAlert } from "lucide-react";
import { useMay } from "#components/session.tsx";

export function ProxyNotice() {
  const may = useMay();
  if (!may("workspace:write")) return null;
  return (
    <section
      aria-label="Reverse proxy"
      className="mx-4 mt-5 flex gap-3 rounded-lg bg-tone-warn px-4 py-3 text-on-warn md:mx-6"
    >
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0">
        <p className="font-semibold">The server does not know its reverse proxy</p>
        <p className="text-pretty">
          Requests come with X-Forwarded-For, but TRUSTED_PROXIES is 0. So the audit log and certificates show
          the proxy’s address for everyone, and limits count everyone as one. Whoever runs this server should
          set TRUSTED_PROXIES to the number of reverse proxies in front of it.
        </p>
      </div>
    </section>
  );
}
