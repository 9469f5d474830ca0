/** The operations that are measured. */
import { requestText } from "./http-client.ts";
import type { Seeded } from "./seed.ts";

export interface Operation {
  name: string;
  temperature: "cold" | "warm";
  status: number;
  /** Whether the workspace changes meanwhile, so that nothing either server has cached about it is valid. */
  changing: boolean;
  next(): string;
}

let count = 0;

/**
 * A parameter that the API does not know and ignores, different each time. It does not change the work, but keeps the
 * product from responding with a cached result.
 */
const unlike = () => `unlike=${(count++).toString(36)}`;

const anyOf = <T>(list: T[]): T => list[Math.floor(Math.random() * list.length)]!;

/** Returns the operations in the order of the table: reads first, since writes make the workspace larger. */
export function operationsOf(workspace: Seeded): Operation[] {
  const { key, contractIds } = workspace;
  const get = (path: string) => requestText("GET", path, key);
  const oneId = contractIds[Math.floor(contractIds.length / 2)]!;
  const cold = { temperature: "cold", status: 200, changing: true } as const;
  const warm = { temperature: "warm", status: 200, changing: false } as const;
  const same = (path: string) => {
    const text = get(path);
    return () => text;
  };
  return [
    { ...cold, name: "list, page 1", next: () => get(`/contracts?${unlike()}`) },
    { ...warm, name: "list, page 1", next: same("/contracts") },
    { ...cold, name: "list, page 1,000", next: () => get(`/contracts?page=1000&${unlike()}`) },
    { ...warm, name: "list, page 1,000", next: same("/contracts?page=1000") },
    { ...cold, name: "read one", next: () => get(`/contracts/${anyOf(contractIds)}?${unlike()}`) },
    { ...warm, name: "read one", next: same(`/contracts/${oneId}`) },
    { ...cold, name: "audit feed, 200 rows", next: () => get(`/audit-events?limit=200&${unlike()}`) },
    { ...warm, name: "audit feed, 200 rows", next: same("/audit-events?limit=200") },
    { ...cold, name: "create", status: 201, changing: false, next: () => createText(workspace) },
    { ...cold, name: "patch", changing: false, next: () => patchText(workspace, anyOf(contractIds)) },
  ];
}

/** A new contract with the fields people usually fill in. "Bench" in the title marks it for deletion. */
export const newContract = ({ userIds, counterpartyIds }: Seeded) => ({
  title: `Bench services agreement ${count++}`,
  type: "MSA",
  ourRole: "CUSTOMER",
  ownerId: anyOf(userIds),
  counterpartyId: anyOf(counterpartyIds),
  effectiveDate: "2026-03-01T00:00:00.000Z",
  termMonths: 12,
  valueCents: String(100_000 + (count % 1000)),
  valueCurrency: "USD",
});

export const createText = (workspace: Seeded): string =>
  requestText("POST", "/contracts", workspace.key, newContract(workspace));

export function patchText({ key }: Seeded, id: string): string {
  const body = { title: `Amended services agreement ${count++}`, valueCents: String(200_000 + count) };
  return requestText("PATCH", `/contracts/${id}`, key, body);
}
