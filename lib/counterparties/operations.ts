import { z } from "zod";
import { operation } from "#lib/core/operation.ts";
import { pathId } from "#lib/core/wire.ts";
import { createContact, patchContact, removeContact } from "./contacts.ts";
import { createCounterparty } from "./counterparties.ts";
import { listCounterparties } from "./list.ts";
import { listContacts } from "./rows.ts";
import {
  ContactAnswer,
  ContactList,
  ContactPatch,
  CounterpartyAnswer,
  CounterpartyList,
  CounterpartyQuery,
  NewContact,
  NewCounterparty,
} from "./schema.ts";

export const counterparties = {
  list: operation({
    summary: "List counterparties",
    description: "Sorted by name, each with its number of contracts.",
    scopes: ["counterparties:read"],
    input: CounterpartyQuery,
    output: CounterpartyList,
    errors: [],
    cacheable: true,
    mayUseReplica: true,
    run: listCounterparties,
  }),
  create: operation({
    summary: "Create a counterparty",
    scopes: ["counterparties:write"],
    input: NewCounterparty,
    output: CounterpartyAnswer,
    status: 201,
    errors: [],
    location: (made: { counterparty: { id: string } }) => `/counterparties/${made.counterparty.id}`,
    run: async (ctx, input) => ({ counterparty: await createCounterparty(ctx, input) }),
  }),
};

export const contacts = {
  list: operation({
    summary: "List a counterparty's contacts",
    description: "By name.",
    scopes: ["counterparties:read"],
    input: z.object({ id: pathId("counterparty") }),
    output: ContactList,
    errors: ["not_found"],
    cacheable: true,
    run: listContacts,
  }),
  create: operation({
    summary: "Create a contact",
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
    summary: "Update a contact",
    description: "Omitted fields are left unchanged.",
    scopes: ["counterparties:write"],
    input: ContactPatch,
    output: ContactAnswer,
    errors: ["not_found", "precondition_failed"],
    run: async (ctx, input) => ({ contact: await patchContact(ctx, input) }),
  }),
  remove: operation({
    summary: "Delete a contact",
    description: "Signature requests that name the contact keep its name and address.",
    scopes: ["counterparties:write"],
    input: z.object({ id: pathId("counterparty"), contactId: pathId("contact") }),
    errors: ["not_found"],
    run: removeContact,
  }),
};
