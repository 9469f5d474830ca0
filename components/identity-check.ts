"use client";
/** Runs what the server may want confirmed first. Who provides it asks the person, and runs it again. */
import { createContext, useContext } from "react";
import { ApiProblem } from "#lib/doors/client.ts";

/** Rejects with `password_needed` when the person would rather not. */
export type Attempt = <T>(work: () => Promise<T>) => Promise<T>;

export const IdentityCheckContext = createContext<Attempt>((work) => work());

export const useIdentityCheck = () => useContext(IdentityCheckContext);

/** Whether it failed only for want of the confirmation: nothing to tell, the person knows. */
export const isUnconfirmed = (error: unknown) =>
  error instanceof ApiProblem && error.code === "password_needed";
