"use client";
import { ChevronsUpDown, LogOut, Monitor, Moon, Sun } from "lucide-react";
import { problemOf, refusalToast } from "#components/problem.ts";
import { useAct } from "#components/query.tsx";
import { useSession } from "#components/session.tsx";
import { type Theme, themes, useTheme } from "#components/theme.tsx";
import { Avatar } from "#components/ui/bits.tsx";
import { Menu, MenuItem, MenuLabel, MenuSeparator } from "#components/ui/menu.tsx";
import { useToast } from "#components/ui/toast.tsx";
import { inWords } from "#components/words.ts";
import { signOut } from "#lib/doors/session-client.ts";

const row = "flex w-full min-w-0 items-center gap-2 rounded-md px-1.5 py-1 text-left hover:bg-hover";

export function WorkspaceMenu() {
  const { workspaces, organizationId } = useSession();
  const toggle = useAct("workspaces.switch");
  const current = workspaces.find((workspace) => workspace.organizationId === organizationId);
  const choose = async (id: string) => {
    if (id === organizationId) return;
    await toggle.run({ organizationId: id });
    // Full page load: everything in memory belongs to the previous workspace.
    window.location.assign("/home");
  };
  return (
    <Menu
      label="Workspaces"
      trigger={
        <button type="button" className={row}>
          <Mark name={current?.name ?? ""} />
          <span className="min-w-0 flex-1 truncate font-semibold">{current?.name}</span>
          <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-faint" />
        </button>
      }
    >
      <MenuLabel>Workspaces</MenuLabel>
      {workspaces.map((workspace) => (
        <MenuItem
          key={workspace.organizationId}
          checked={workspace.organizationId === organizationId}
          hint={inWords(workspace.role)}
          onSelect={() => void choose(workspace.organizationId).catch(() => undefined)}
        >
          {workspace.name}
        </MenuItem>
      ))}
    </Menu>
  );
}

function Mark({ name }: { name: string }) {
  return (
    <span
      aria-hidden
      className="grid size-6 shrink-0 place-items-center rounded-md bg-accent font-bold text-on-accent text-xs"
    >
      {[...name][0]?.toUpperCase()}
    </span>
  );
}

const themeWords: Record<Theme, { label: string; icon: typeof Sun }> = {
  system: { label: "System", icon: Monitor },
  light: { label: "Light", icon: Sun },
  dark: { label: "Dark", icon: Moon },
};

export function UserMenu() {
  const { user, role } = useSession();
  const [theme, setTheme] = useTheme();
  const toast = useToast();
  const leave = async () => {
    try {
      await signOut();
      window.location.assign("/sign-in");
    } catch (error) {
      toast({ ...refusalToast(problemOf(error)), title: "You are still signed in" });
    }
  };
  return (
    <Menu
      label="You"
      trigger={
        <button type="button" className={row}>
          <Avatar name={user.name} />
          <span className="min-w-0 flex-1">
            <span className="block truncate font-medium">{user.name}</span>
            <span className="block truncate text-faint text-xs">{inWords(role)}</span>
          </span>
        </button>
      }
    >
      <MenuLabel>{user.email}</MenuLabel>
      <MenuSeparator />
      <MenuLabel>Theme</MenuLabel>
      {themes.map((each) => {
        const { label, icon: Icon } = themeWords[each];
        return (
          <MenuItem
            key={each}
            icon={<Icon aria-hidden />}
            checked={theme === each}
            onSelect={() => setTheme(each)}
          >
            {label}
          </MenuItem>
        );
      })}
      <MenuSeparator />
      <MenuItem icon={<LogOut aria-hidden />} onSelect={() => void leave()}>
        Sign out
      </MenuItem>
    </Menu>
  );
}
