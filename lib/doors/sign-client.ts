/**
 * The client of the signers' door for the signing page, typed by its operations. Isomorphic: it imports only types.
 */
import type { z } from "zod";
import type { Operation } from "#lib/core/operation.ts";
import type { SignerOperations } from "#lib/operations.ts";
import { post } from "./client.ts";

/** `open`, `state`, `consent`, `finish`, … */
export type SignerOperation = keyof SignerOperations;

export type SignerInput<Name extends SignerOperation> =
  SignerOperations[Name] extends Operation<infer Input, infer _Output, infer _Caller>
    ? z.input<Input>
    : never;

export type SignerOutput<Name extends SignerOperation> =
  SignerOperations[Name] extends Operation<infer _Input, infer Output, infer _Caller>
    ? Output extends z.ZodType
      ? z.output<Output>
      : null
    : never;

/** Everything that a signer's page shows. */
export type CeremonyState = SignerOutput<"state">["state"];
export type OwnField = CeremonyState["fields"][number];
export type OthersField = CeremonyState["others"][number];

/** The operations that return the new state: all but the addresses of files, and the poll. */
export type SignerAct = {
  [Name in SignerOperation]: SignerOutput<Name> extends { state: unknown } ? Name : never;
}[SignerOperation];

/**
 * Calls one of the signer's operations; throws an ApiProblem if it is refused. `signerId` selects the visit's cookie;
 * only `open`, which begins a visit, needs none.
 */
export async function callAsSigner<Name extends SignerOperation>(
  name: Name,
  input: SignerInput<Name>,
  { signerId, signal }: { signerId?: string; signal?: AbortSignal } = {},
): Promise<SignerOutput<Name>> {
  const headers: Record<string, string> = signerId === undefined ? {} : { "x-signer-id": signerId };
  const answer = await post(`/api/sign/${name}`, input, { headers, ...(signal ? { signal } : {}) });
  return answer as SignerOutput<Name>;
}
