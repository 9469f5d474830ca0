"use client";
/**
 * Forms with a Zod schema: validated before they are submitted, with the server's errors shown at their
 * fields.
 */
import { type BaseSyntheticEvent, useCallback, useEffect, useRef, useState } from "react";
import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Path,
  type Resolver,
  type ResolverOptions,
  type UseFormReturn,
  useForm,
} from "react-hook-form";
import type { z } from "zod";
import { loadWithRetry } from "./lazily.tsx";
import { hasShortYear, shortYear } from "./typed.ts";

/** The part of a refusal that forms use to show it. */
export interface RefusedForm {
  message: string;
  /** `sentence` also names what the issue is about, for issues whose field is not in the form. */
  issues?: readonly { path: string; message: string; sentence?: string }[] | null;
  requestId?: string | null;
}

type FormSchema<Input, Output> = z.ZodType<Output, Input> | (() => Promise<z.ZodType<Output, Input>>);

/**
 * A form whose values are the schema's input and whose result is its output. If the form is part of the page
 * when it loads, the schema may be a function that loads it on the first interaction, since nothing is
 * validated before.
 */
export function useZodForm<Input extends FieldValues, Output>(
  schema: FormSchema<Input, Output>,
  defaultValues: DefaultValues<NoInfer<Input>>,
): UseFormReturn<Input, unknown, Output> {
  const [load] = useState(() => loaderOf(schema));
  useEffect(() => {
    const begin = () => void load().catch(() => undefined);
    const touches = ["pointerdown", "keydown"] as const;
    for (const touch of touches) document.addEventListener(touch, begin, { once: true, capture: true });
    return () => {
      for (const touch of touches) document.removeEventListener(touch, begin, { capture: true });
    };
  }, [load]);
  const form = useForm<Input, unknown, Output>({
    resolver: async (values, context, options) => {
      const found = await (await load())(values, context, options);
      const yearErrors = shortYearsIn(values, defaultValues, options.fields);
      return Object.keys(yearErrors).length > 0
        ? { values: {}, errors: { ...yearErrors, ...found.errors } as FieldErrors<Input> }
        : found;
    },
    defaultValues,
    // Not on blur: a message that appears then would move the button away from under the pointer.
    mode: "onSubmit",
  });
  const { handleSubmit } = form;
  const isSending = useRef(false);
  // Ignore further submissions while one is running, such as the second click of a double click.
  const submitOnce = useCallback(
    (...handlers: Parameters<typeof handleSubmit>) =>
      async (event?: BaseSyntheticEvent) => {
        event?.preventDefault();
        if (isSending.current) return;
        isSending.current = true;
        try {
          await handleSubmit(...handlers)(event);
        } finally {
          isSending.current = false;
        }
      },
    [handleSubmit],
  ) as typeof handleSubmit;
  return { ...form, handleSubmit: submitOnce };
}

/**
 * Returns errors for entered dates whose year is too short. Unchanged values are accepted, since the API
 * allows them.
 */
function shortYearsIn(
  values: FieldValues,
  before: FieldValues,
  fields: ResolverOptions<FieldValues>["fields"],
) {
  const wrong = Object.entries(fields).filter(
    ([name, field]) =>
      field?.ref.type === "date" && hasShortYear(values[name]) && values[name] !== before[name],
  );
  return Object.fromEntries(wrong.map(([name]) => [name, { type: "year", message: shortYear }]));
}

/** Returns a function that loads the resolver once, and again after a failure. */
function loaderOf<Input extends FieldValues, Output>(schema: FormSchema<Input, Output>) {
  type Check = Resolver<Input, unknown, Output>;
  let loading: Promise<Check> | undefined;
  const load = async (): Promise<Check> => {
    // If the connection is lost, submitting waits for it, so that no one has to press the button again.
    const [{ zodResolver }, loaded] = await Promise.all([
      loadWithRetry(() => import("@hookform/resolvers/zod")),
      typeof schema === "function" ? loadWithRetry(schema) : schema,
    ]);
    return zodResolver(loaded);
  };
  return (): Promise<Check> => {
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

/**
 * Shows a refusal in a form: issues at the fields of their paths, the rest as the error of the whole form.
 * `fields` are the names of the fields in the form.
 */
export function showRefusal<V extends FieldValues, O>(
  form: UseFormReturn<V, unknown, O>,
  refused: RefusedForm,
  fields: readonly Path<V>[],
): void {
  const issues = refused.issues ?? [];
  const placed = issues.filter(({ path }) => fields.some((field) => field === path));
  for (const { path, message } of placed) form.setError(path as Path<V>, { type: "server", message });
  const rest = issues.filter((issue) => !placed.includes(issue));
  if (issues.length > 0 && rest.length === 0) {
    form.setFocus(placed[0]?.path as Path<V>);
    return;
  }
  const message =
    rest.length > 0
      ? rest.map(({ path, message: why, sentence }) => sentence ?? `${path} ${why}`.trim()).join("; ")
      : refused.message;
  form.setError("root", { type: "server", message });
}
