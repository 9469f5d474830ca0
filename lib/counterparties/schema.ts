import { z } from "zod";
import {
  choice,
  clearable,
  email,
  idOut,
  longText,
  name,
  pathId,
  searchText,
  text,
  timestamp,
} from "#lib/core/wire.ts";

export const relationshipTypes = [
  "CUSTOMER",
  "VENDOR",
  "PARTNER",
  "RESELLER",
  "EMPLOYEE",
  "CONTRACTOR",
  "INVESTOR",
  "LANDLORD",
  "OTHER",
] as const;

export const Counterparty = z
  .object({
    id: idOut("counterparty"),
    name: z.string().meta({ example: "Northwind" }),
    domain: z.string().nullable().meta({ example: "northwind.example" }),
    notes: z.string().nullable(),
    relationshipTypes: z.array(z.enum(relationshipTypes)),
    contractCount: z.int().meta({ example: 3 }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Counterparty" });
export type Counterparty = z.output<typeof Counterparty>;

export const Contact = z
  .object({
    id: idOut("contact"),
    counterpartyId: idOut("counterparty"),
    name: z.string().meta({ example: "Dana Reyes" }),
    email: z.string().meta({ example: "dana@northwind.example" }),
    isPrimary: z.boolean().meta({ description: "At most one contact of a counterparty is primary" }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "Contact" });
export type Contact = z.output<typeof Contact>;

export const CounterpartyAnswer = z.object({ counterparty: Counterparty });
export const CounterpartyList = z.object({ data: z.array(Counterparty) });
export const ContactAnswer = z.object({ contact: Contact });
export const ContactList = z.object({ data: z.array(Contact) });

export const CounterpartyQuery = z.object({
  q: searchText.meta({ description: "Searches names, ignoring case" }),
});
export type CounterpartyQuery = z.output<typeof CounterpartyQuery>;

const details = {
  domain: clearable(text().nullable()).optional(),
  notes: clearable(longText.nullable()).optional(),
  relationshipTypes: z
    .array(choice(relationshipTypes))
    .nullable()
    .transform((types) => [...new Set(types)])
    .optional()
    .meta({ description: "null or [] clears them" }),
};

export const NewCounterparty = z.strictObject({ name, ...details });
export type NewCounterparty = z.output<typeof NewCounterparty>;

export const CounterpartyPatch = z.strictObject({
  id: pathId("counterparty"),
  name: name.optional(),
  ...details,
});
export type CounterpartyPatch = z.output<typeof CounterpartyPatch>;

export const CounterpartyNotes = z.strictObject({
  id: pathId("counterparty"),
  notes: clearable(longText.nullable()).meta({ description: "null or an empty string clears the notes" }),
});
export type CounterpartyNotes = z.output<typeof CounterpartyNotes>;

const isPrimary = z
  .boolean()
  .optional()
  .meta({ description: "true replaces the contact that was primary before" });

export const NewContact = z.strictObject({ id: pathId("counterparty"), name, email, isPrimary });
export type NewContact = z.output<typeof NewContact>;

export const ContactPatch = z.strictObject({
  id: pathId("counterparty"),
  contactId: pathId("contact"),
  name: name.optional(),
  email: email.optional(),
  isPrimary,
});
export type ContactPatch = z.output<typeof ContactPatch>;
