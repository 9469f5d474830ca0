import { z } from "zod";
import { operation } from "#lib/core/operation.ts";
import { pathId } from "#lib/core/wire.ts";
import { createContact, patchContact, removeContact } from "./contacts.ts";
import { createCounterparty, patchCounterparty, setNotes } from "./counterparties.ts";
import { listContacts, listCounterparties, readCounterparty } from "./rows.ts";
import {
  ContactAnswer,
  ContactList,
  ContactPatch,
  CounterpartyAnswer,
  CounterpartyDetailAnswer,
  CounterpartyList,
  CounterpartyNotes,
  CounterpartyPatch,
  CounterpartyQuery,
  NewContact,
  NewCounterparty,
} from "./schema.ts";

export const counterparties = {
  list: operation({
    summary: "List all counterparties",
    description: "By name, each with the number of its contracts.",
    scopes: ["counterparties:read"],
    input: CounterpartyQuery,
    output: CounterpartyList,
    errors: [],
    cacheable: true,
    run: listCounterparties,
  }),
  read: operation({
    summary: "Read a counterparty with its contacts and contracts",
    scopes: ["counterparties:read", "contracts:read"],
    input: z.object({ id: pathId("counterparty") }),
    output: CounterpartyDetailAnswer,
    errors: ["not_found"],
    cacheable: true,
    run: async (ctx, { id }) => ({ counterparty: await readCounterparty(ctx, id) }),
  }),
  create: operation({
    summary: "Make a counterparty",
    scopes: ["counterparties:write"],
    input: NewCounterparty,
    output: CounterpartyAnswer,
    status: 201,
    errors: [],
    location: (made: { counterparty: { id: string } }) => `/counterparties/${made.counterparty.id}`,
    run: async (ctx, input) => ({ counterparty: await createCounterparty(ctx, input) }),
  }),
  patch: operation({
    summary: "Change a counterparty",
    description: "Omit a field to leave it as it is; null clears one.",
    scopes: ["counterparties:write"],
    input: CounterpartyPatch,
    output: CounterpartyAnswer,
    errors: ["not_found", "precondition_failed"],
    run: async (ctx, input) => ({ counterparty: await patchCounterparty(ctx, input) }),
  }),
  setNotes: operation({
    summary: "Replace a counterparty's notes",
    scopes: ["counterparties:write"],
    input: CounterpartyNotes,
    errors: ["not_found", "precondition_failed"],
    run: setNotes,
  }),
};

export const contacts = {
  list: operation({
    summary: "List all contacts of a counterparty",
    description: "By name.",
    scopes: ["counterparties:read"],
    input: z.object({ id: pathId("counterparty") }),
    output: ContactList,
    errors: ["not_found"],
    cacheable: true,
    run: listContacts,
  }),
  create: operation({
    summary: "Add a contact to a counterparty",
    scopes: ["counterparties:write"],
    input: NewContact,
    output: ContactAnswer,
    status: 201,
    errors: ["not_found"],
    location: ({ contact }: { contact: { id: string; counterpartyId: string } }) =>
      `/counterparties/${contact.counterpartyId}/contacts/${contact.id}`,
    run: async (ctx, input) => ({ contact: await createContact(ctx, input) }),
  }),
  patch: operation({
    summary: "Change a contact",
    description: "Omit a field to leave it as it is.",
    scopes: ["counterparties:write"],
    input: ContactPatch,
    output: ContactAnswer,
    errors: ["not_found", "precondition_failed"],
    run: async (ctx, input) => ({ contact: await patchContact(ctx, input) }),
  }),
  remove: operation({
    summary: "Delete a contact",
    description: "Signature requests that it was chosen for keep its name and address.",
    scopes: ["counterparties:write"],
    input: z.object({ id: pathId("counterparty"), contactId: pathId("contact") }),
    errors: ["not_found"],
    run: removeContact,
  }),
};
