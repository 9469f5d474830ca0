import type { ReactNode } from "react";
import { Shell } from "#components/shell/shell.tsx";
import { MemberPage } from "./member-page.tsx";

export default function MemberLayout({ children }: { children: ReactNode }) {
  return (
    <MemberPage>
      <Shell>{children}</Shell>
    </MemberPage>
  );
}
