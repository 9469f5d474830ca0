"use client";
/** Runs work for which the server may require a confirmed identity. The provider asks the person, and runs it again. */
import { createContext, useContext } from "react";
import { ApiProblem } from "#lib/doors/client.ts";

/** Rejects with `password_needed` if the person cancels. */
export type Attempt = <T>(work: () => Promise<T>) => Promise<T>;

export const IdentityCheckContext = createContext<Attempt>((work) => work());

export const useIdentityCheck = () => useContext(IdentityCheckContext);

/** Whether it failed only because the person did not confirm: they know, so nothing is shown. */
export const isUnconfirmed = (error: unknown) =>
  error instanceof ApiProblem && error.code === "password_needed";
