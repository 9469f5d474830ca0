"use client";
/** Named filters of a list, which each member saves for themselves. */
import { Bookmark, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { useFocusNext } from "#components/focus-next.ts";
import { problemOf } from "#components/problem.ts";
import { useAct, useOperation } from "#components/query.tsx";
import { Button, IconButton } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { Popover } from "#components/ui/popover.tsx";
import { useToast } from "#components/ui/toast.tsx";
import type { InputOf, OutputOf } from "#lib/doors/client.ts";

export interface SavedFiltersProps {
  list: InputOf<"savedFilters.save">["list"];
  /** The list's own address, such as `/contracts`. */
  href: string;
  /** The current filters, as in the address; empty if there are none. */
  query: string;
}

export function SavedFilters({ list, href, query }: SavedFiltersProps) {
  const router = useRouter();
  const toast = useToast();
  const [open, setOpen] = useState(false);
  const [name, setName] = useState("");
  const [refused, setRefused] = useState<string>();
  const { data } = useOperation("savedFilters.list", { list }, { enabled: open });
  const save = useAct("savedFilters.save", { invalidates: ["savedFilters"], showsErrors: false });
  const restore = useAct("savedFilters.save", { invalidates: ["savedFilters"] });
  const removal = useAct("savedFilters.remove", { invalidates: ["savedFilters"] });
  const saved = data?.data ?? [];
  const rest = useRef<HTMLDivElement>(null);
  const { list: entries, onAction } = useFocusNext<HTMLUListElement>(data?.data, {
    fallback: () => rest.current?.querySelector<HTMLElement>("input, p"),
  });
  const remove = async ({ id, ...filter }: OutputOf<"savedFilters.list">["data"][number]) => {
    onAction(id);
    await removal.run({ id });
    const undo = () =>
      void restore.run({ list, name: filter.name, query: filter.query }).catch(() => undefined);
    toast({ title: "Filter removed", detail: filter.name, undo });
  };
  const keep = async () => {
    try {
      await save.run({ list, name, query });
      setName((now) => (now === name ? "" : now));
      toast({ title: "Filter saved", detail: name });
    } catch (error) {
      const { issues, message } = problemOf(error);
      setRefused(issues[0]?.message ?? message);
    }
  };
  return (
    <Popover
      label="Saved filters"
      align="end"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button>
          <Bookmark aria-hidden />
          <span className="max-sm:sr-only">Saved</span>
        </Button>
      }
    >
      {saved.length > 0 && (
        <ul ref={entries} className="border-line border-b p-1">
          {saved.map((filter) => (
            <li key={filter.id} className="flex items-center rounded-sm hover:bg-hover">
              <button
                type="button"
                className="min-w-0 flex-1 truncate px-2 py-1.5 text-left"
                onClick={() => {
                  setOpen(false);
                  router.push(`${href}${filter.query ? `?${filter.query}` : ""}`);
                }}
              >
                {filter.name}
              </button>
              <IconButton
                label={`Remove ${filter.name}`}
                size="sm"
                onClick={() => void remove(filter).catch(() => undefined)}
              >
                <Trash2 aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <div ref={rest}>
        {query ? (
          <form
            className="grid gap-2 p-3"
            onSubmit={(event) => {
              event.preventDefault();
              void keep();
            }}
          >
            <Field label="Save these filters as" subject="The name" error={refused}>
              <Input
                value={name}
                maxLength={80}
                onChange={(event) => {
                  setName(event.target.value);
                  setRefused(undefined);
                }}
              />
            </Field>
            <Button
              type="submit"
              variant="primary"
              size="sm"
              busy={save.isRunning}
              className="justify-self-end"
            >
              Save
            </Button>
          </form>
        ) : (
          <p tabIndex={-1} className="p-3 text-quiet outline-none">
            Filter or sort the list, then save it here under a name.
          </p>
        )}
      </div>
    </Popover>
  );
}
