"use client";
/**
 * Runs work that may require a confirmed identity: the provider then asks for it, and runs the work again.
 */
import { createContext, useContext } from "react";
import { ApiProblem } from "#lib/doors/client.ts";

/** Rejects with `password_needed` if the member cancels. */
export type Attempt = <T>(work: () => Promise<T>) => Promise<T>;

export const IdentityCheckContext = createContext<Attempt>((work) => work());

export const useIdentityCheck = () => useContext(IdentityCheckContext);

/**
 * Returns whether an action failed only because the member canceled confirming their identity: no error is shown.
 */
export const isUnconfirmed = (error: unknown) =>
  error instanceof ApiProblem && error.code === "password_needed";
