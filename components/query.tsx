"use client";
/** Operations in pages: cached reads, and actions with optimistic updates. The only file that uses react-query. */
import {
  type DehydratedState,
  HydrationBoundary,
  hashKey,
  keepPreviousData,
  notifyManager,
  QueryClient,
  QueryClientProvider,
  type QueryKey,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { type ReactNode, useCallback, useMemo, useState } from "react";
import { DoorProvider, useDoor } from "#components/door.tsx";
import { useIdentityCheck } from "#components/identity-check.ts";
import { useMounted } from "#components/mounted.ts";
import { useOnce } from "#components/once.ts";
import type {
  Act,
  ActOptions,
  Feed,
  Namespace,
  Reading,
  ReadingOptions,
  ResponseCache,
  ServerResult,
} from "#components/operation.ts";
import { problemOf, refusalToast } from "#components/problem.ts";
import { useToast } from "#components/ui/toast.tsx";
import {
  ApiProblem,
  type InputOf,
  type OperationName,
  type OutputOf,
  type PageOf,
} from "#lib/doors/client.ts";

/**
 * Updates components before code that awaited a response continues. By default, react-query does so in a
 * timer: a component mounted right after an action would start with the previous data, and keep it.
 */
notifyManager.setScheduler(queueMicrotask);

/** How long a response counts as fresh; what is changed on this page is refetched at once. */
const freshMs = 15_000;

function newClient(): QueryClient {
  const worthAnotherTry = (tries: number, error: Error) =>
    tries < 2 && error instanceof ApiProblem && ["unreachable", "unavailable"].includes(error.code);
  return new QueryClient({
    // The door detects lost connections. By default, react-query would silently wait for the browser to be online.
    defaultOptions: {
      queries: {
        staleTime: freshMs,
        retry: worthAnotherTry,
        networkMode: "always",
        refetchOnReconnect: true,
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}

/** Lets all components below read and act for the person and workspace that the page was opened for. */
export function Operations({ pageOf, children }: { pageOf: PageOf; children: ReactNode }) {
  const [client] = useState(newClient);
  return (
    <QueryClientProvider client={client}>
      <DoorProvider pageOf={pageOf}>{children}</DoorProvider>
    </QueryClientProvider>
  );
}

/** Provides what the server has already read for the page, as of `at`. */
export function Seeded({
  answers,
  at,
  children,
}: {
  answers: ServerResult[];
  at: number;
  children: ReactNode;
}) {
  const state = useMemo(
    () =>
      ({ mutations: [], queries: answers.map((answer) => dehydrated(answer, at)) }) satisfies DehydratedState,
    [answers, at],
  );
  return <HydrationBoundary state={state}>{children}</HydrationBoundary>;
}

function dehydrated(answer: ServerResult, at: number): DehydratedState["queries"][number] {
  const { name, input, output, isFeed } = answer;
  const queryKey = isFeed ? feedKeyOf(name, input) : keyOf(name, input);
  return {
    queryKey,
    queryHash: hashKey(queryKey),
    dehydratedAt: at,
    state: {
      data: isFeed ? { pages: [output], pageParams: [null] } : output,
      dataUpdateCount: 1,
      dataUpdatedAt: at,
      error: null,
      errorUpdateCount: 0,
      errorUpdatedAt: 0,
      fetchFailureCount: 0,
      fetchFailureReason: null,
      fetchMeta: null,
      isInvalidated: false,
      status: "success",
      fetchStatus: "idle",
    },
  };
}

const keyOf = (name: OperationName, input: unknown): QueryKey => [...name.split("."), input];
const feedKeyOf = (name: OperationName, input: unknown): QueryKey => [...keyOf(name, input), "feed"];

function intervalOf<Latest>(everyMs: ReadingOptions<Latest>["everyMs"], latest: Latest | undefined) {
  if (typeof everyMs !== "function") return everyMs ?? false;
  return (latest !== undefined && everyMs(latest)) || false;
}

/** Reads an operation, and refetches it when an action may have changed the result. */
export function useOperation<Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  { enabled = true, keepPrevious = false, everyMs }: ReadingOptions<OutputOf<Name>> = {},
): Reading<OutputOf<Name>> {
  const door = useDoor();
  const query = useQuery<OutputOf<Name>, Error>({
    queryKey: keyOf(name, input),
    queryFn: ({ signal }) => door.read(name, input, signal),
    enabled,
    refetchInterval: ({ state }) => intervalOf(everyMs, state.data),
    placeholderData: keepPrevious ? keepPreviousData : undefined,
  });
  return {
    data: query.data,
    error: query.error ? problemOf(query.error) : null,
    isPrevious: query.isPlaceholderData,
    isFetching: query.isFetching,
    refetch: () => void query.refetch(),
  };
}

/** Reads a list with a cursor, page by page. */
export function useFeed<Name extends OperationName>(
  name: Name,
  input: InputOf<Name>,
  { enabled = true, keepPrevious = true, everyMs }: ReadingOptions<OutputOf<Name>[]> = {},
): Feed<OutputOf<Name>> {
  const door = useDoor();
  const query = useInfiniteQuery({
    queryKey: feedKeyOf(name, input),
    queryFn: ({ signal, pageParam }) =>
      door.read(name, pageParam === null ? input : { ...input, cursor: pageParam }, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page as { nextCursor: string | null }).nextCursor,
    enabled,
    refetchInterval: ({ state }) => intervalOf(everyMs, state.data?.pages),
    placeholderData: keepPrevious ? keepPreviousData : undefined,
  });
  return {
    pages: query.data?.pages,
    error: query.error ? problemOf(query.error) : null,
    isPrevious: query.isPlaceholderData,
    isFetching: query.isFetching,
    refetch: () => void query.refetch(),
    older: query.hasNextPage ? () => void query.fetchNextPage() : null,
    isLoadingOlder: query.isFetchingNextPage,
  };
}

/** Returns a function that prefetches an operation, such as the next page, or what the pointer is over. */
export function usePrefetch(): <Name extends OperationName>(name: Name, input: InputOf<Name>) => void {
  const client = useQueryClient();
  const door = useDoor();
  return useCallback(
    (name, input) =>
      void client.prefetchQuery({
        queryKey: keyOf(name, input),
        queryFn: ({ signal }) => door.read(name, input, signal),
      }),
    [client, door],
  );
}

/** Runs an action. What it changed is refetched; errors are shown. */
export function useAct<Name extends OperationName>(
  name: Name,
  { invalidates = [], optimistic, learn, showsErrors = true }: ActOptions<Name> = {},
): Act<Name> {
  const client = useQueryClient();
  const toast = useToast();
  const attempt = useIdentityCheck();
  const door = useDoor();
  const isMounted = useMounted();
  const mutation = useMutation<OutputOf<Name>, Error, { input: InputOf<Name>; key: string }, Remembered[]>({
    ...(optimistic ? { mutationKey: optimisticKey } : {}),
    mutationFn: ({ input, key }) => attempt(() => door.act(name, input, { key, isShown: !!optimistic })),
    onMutate: async ({ input }) => {
      if (!optimistic) return [];
      // A response that is still to arrive would overwrite the optimistic update.
      await Promise.all(invalidates.map((what) => client.cancelQueries({ queryKey: what.split(".") })));
      return updateCache(client, (memory) => optimistic(input, memory));
    },
    onSuccess: (answer) => {
      if (learn) updateCache(client, (memory) => learn(answer, memory));
    },
    onError: (error, _, remembered = []) => {
      for (const { key, data } of remembered) client.setQueryData(key, data);
      const problem = problemOf(error);
      const isTold = showsErrors || !isMounted.current;
      // No toast for an action whose confirmation the user has just canceled.
      if (isTold && problem.code !== "password_needed") toast(refusalToast(problem));
    },
    onSettled: () => refetchChanged(client, invalidates, optimistic ? 1 : 0),
  });
  const { mutateAsync } = mutation;
  const once = useOnce<InputOf<Name>, OutputOf<Name>>();
  const run = useCallback(
    (input: InputOf<Name>) => once(input, (key) => mutateAsync({ input, key })),
    [once, mutateAsync],
  );
  return { run, isRunning: mutation.isPending };
}

/** The key of optimistic actions. */
const optimisticKey = ["shown ahead"];

const pendingRefetches = new WeakMap<QueryClient, Set<OperationName | Namespace>>();

/**
 * Refetches what an action may have changed: at once, or after the last pending optimistic action, because a
 * response from before it would overwrite its update. `own` is 1 if this action is one of them, else 0.
 */
function refetchChanged(client: QueryClient, what: readonly (OperationName | Namespace)[], own: 0 | 1): void {
  const all = pendingRefetches.get(client) ?? new Set();
  pendingRefetches.set(client, all);
  for (const one of what) all.add(one);
  if (client.isMutating({ mutationKey: optimisticKey }) > own) return;
  for (const one of all) void client.invalidateQueries({ queryKey: one.split(".") });
  all.clear();
}

/** Returns a function for bulk actions: single calls, and one refetch at the end. */
export function useInvalidate(): (what: readonly (OperationName | Namespace)[]) => Promise<unknown> {
  const client = useQueryClient();
  return useCallback(
    (what) => Promise.all(what.map((one) => client.invalidateQueries({ queryKey: one.split(".") }))),
    [client],
  );
}

interface Remembered {
  key: QueryKey;
  data: unknown;
}

/** Lets `revise` update the cache, and returns the previous entries. */
function updateCache(client: QueryClient, revise: (memory: ResponseCache) => void): Remembered[] {
  const before: Remembered[] = [];
  revise({
    updateAll: (name, change) => {
      for (const [key, data] of client.getQueriesData<OutputOf<typeof name>>({ queryKey: name.split(".") })) {
        if (data === undefined) continue;
        before.push({ key, data });
        client.setQueryData(key, change(data));
      }
    },
  });
  return before;
}
