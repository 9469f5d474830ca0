import { expect, test, type Workspace } from "../fixtures.ts";

async function make({ api }: Workspace, fields: Record<string, unknown> = {}) {
  const made = await api("POST /counterparties", { body: { name: "Northwind", ...fields } });
  expect(made.status, made.text).toBe(201);
  return made.body.counterparty;
}

async function addContact({ api }: Workspace, id: string, fields: Record<string, unknown> = {}) {
  const body = { name: "Dana", email: "dana@northwind.example", ...fields };
  const made = await api(`POST /counterparties/${id}/contacts`, { body });
  expect(made.status, made.text).toBe(201);
  return made.body.contact;
}

async function actions({ api }: Workspace): Promise<string[]> {
  const { body } = await api("GET /audit-events?limit=200");
  return body.data.map((event: { action: string }) => event.action);
}

test("creating a counterparty returns every field and a Location header", async ({ workspace }) => {
  const made = await workspace.api("POST /counterparties", { body: { name: "  Northwind  " } });
  expect(made.status).toBe(201);
  const { counterparty } = made.body;
  expect(counterparty).toEqual({
    id: expect.stringMatching(/^cp_/),
    name: "Northwind",
    domain: null,
    notes: null,
    relationshipTypes: [],
    contractCount: 0,
    createdAt: expect.any(String),
    updatedAt: counterparty.createdAt,
  });
  expect(made.headers.get("location")).toBe(`/api/v1/counterparties/${counterparty.id}`);
});

test("reading a counterparty includes its contacts and contracts", async ({ workspace }) => {
  const { id, ...rest } = await make(workspace, {
    domain: "northwind.example",
    relationshipTypes: ["VENDOR"],
  });
  const zoe = await addContact(workspace, id, { name: "zoe" });
  const adam = await addContact(workspace, id, { name: "Adam" });
  const contract = await workspace.contract({ counterpartyId: id });
  const { body } = await workspace.api(`GET /counterparties/${id}`);
  expect(body.counterparty).toEqual({
    ...rest,
    id,
    contractCount: 1,
    contacts: [adam, zoe],
    contracts: [contract],
  });
  const contacts = await workspace.api(`GET /counterparties/${id}/contacts`);
  expect(contacts.body).toEqual({ data: [adam, zoe] });
});

test("the list has every counterparty, sorted by name regardless of case", async ({ workspace }) => {
  for (const name of ["beta", "Alpha", "GAMMA"]) await make(workspace, { name });
  const { body } = await workspace.api("GET /counterparties");
  expect(body.data.map((one: { name: string }) => one.name)).toEqual(["Alpha", "beta", "GAMMA"]);
});

test("the list agrees with each counterparty after every kind of change", async ({ workspace }) => {
  const { api } = workspace;
  const ids: string[] = [];
  for (const name of ["Northwind", "Southwind", "Übersee GmbH"])
    ids.push((await make(workspace, { name })).id);
  const [north, south, overseas] = ids;
  const contract = await workspace.contract({ counterpartyId: north });
  const patch = (id: string | undefined, body: object) => () => api(`PATCH /counterparties/${id}`, { body });
  const moveTo = (counterpartyId: string | null) => () =>
    api(`PATCH /contracts/${contract.id}`, { body: { counterpartyId } });
  const changes = [
    patch(overseas, { name: "Aussen GmbH" }),
    patch(south, { domain: "south.example", relationshipTypes: ["VENDOR"] }),
    () => api(`PUT /counterparties/${north}/notes`, { body: { notes: "Pays late" } }),
    moveTo(south!),
    moveTo(north!),
    moveTo(null),
    moveTo(north!),
    () => Promise.all(["First", "Second", "Third"].map((name) => patch(north, { name })())),
  ];
  for (const change of [() => Promise.resolve(), ...changes]) {
    await change();
    const { body } = await api("GET /counterparties");
    const each = await Promise.all(ids.map((id) => api(`GET /counterparties/${id}`)));
    const read = each.map(({ body: { counterparty } }) => {
      const { contacts: _, contracts: __, ...rest } = counterparty;
      return rest;
    });
    expect(body.data.toSorted(byId)).toEqual(read.toSorted(byId));
  }
});

const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);

test("searching ignores case and takes wildcards literally", async ({ workspace }) => {
  const { id } = await make(workspace, { name: "100% Acme_Corp" });
  await make(workspace, { name: "Another" });
  await workspace.contract({ counterpartyId: id });
  for (const q of ["acme_c", "100%", "ACME"]) {
    const { body } = await workspace.api(`GET /counterparties?q=${encodeURIComponent(q)}`);
    expect(body.data).toEqual([expect.objectContaining({ id, contractCount: 1 })]);
  }
  expect((await workspace.api("GET /counterparties?q=acme%25corp")).body.data).toEqual([]);
});

test("PATCH changes only the given fields, and contracts show the counterparty's new name", async ({
  workspace,
}) => {
  const { id } = await make(workspace, {
    domain: "a.example",
    notes: "First",
    relationshipTypes: ["CUSTOMER"],
  });
  const contract = await workspace.contract({ counterpartyId: id });
  await workspace.api(`GET /contracts/${contract.id}`);
  const body = { name: "Southwind", domain: null };
  const changed = await workspace.api(`PATCH /counterparties/${id}`, { body });
  expect(changed.body.counterparty).toMatchObject({
    ...body,
    notes: "First",
    relationshipTypes: ["CUSTOMER"],
    contractCount: 1,
  });
  const shown = await workspace.api(`GET /contracts/${contract.id}`);
  expect(shown.body.contract.counterparty).toEqual({ id, name: "Southwind" });
});

for (const cleared of [null, []]) {
  test(`relationship types are cleared by ${JSON.stringify(cleared)}`, async ({ workspace }) => {
    const made = await make(workspace, { relationshipTypes: ["CUSTOMER", "VENDOR", "CUSTOMER"] });
    expect(made.relationshipTypes).toEqual(["CUSTOMER", "VENDOR"]);
    const body = { relationshipTypes: cleared };
    const changed = await workspace.api(`PATCH /counterparties/${made.id}`, { body });
    expect(changed.body.counterparty.relationshipTypes).toEqual([]);
  });
}

for (const cleared of [null, "", "  "]) {
  test(`notes are cleared by ${JSON.stringify(cleared)}`, async ({ workspace }) => {
    const { id } = await make(workspace);
    for (const notes of ["Pays late", cleared]) {
      const done = await workspace.api(`PUT /counterparties/${id}/notes`, { body: { notes } });
      expect(done).toMatchObject({ status: 204, text: "" });
      const { body } = await workspace.api(`GET /counterparties/${id}`);
      expect(body.counterparty.notes).toBe(notes?.trim() || null);
    }
  });
}

test("a change that changes nothing updates no timestamp and logs no event", async ({ workspace }) => {
  const made = await make(workspace, { notes: "Same", relationshipTypes: ["PARTNER"] });
  const contact = await addContact(workspace, made.id);
  const path = `/counterparties/${made.id}` as const;
  const before = await actions(workspace);
  const { name, relationshipTypes } = made;
  const again = await workspace.api(`PATCH ${path}`, { body: { name, relationshipTypes } });
  expect(again.body.counterparty).toEqual(made);
  await workspace.api(`PUT ${path}/notes`, { body: { notes: "Same" } });
  const same = await workspace.api(`PATCH ${path}/contacts/${contact.id}`, { body: { name: contact.name } });
  expect(same.body.contact).toEqual(contact);
  expect(await actions(workspace)).toEqual(before);
});

test("every change to a counterparty and its contacts is in the audit log", async ({ workspace }) => {
  const { id } = await make(workspace);
  await workspace.api(`PATCH /counterparties/${id}`, { body: { name: "Southwind" } });
  await workspace.api(`PUT /counterparties/${id}/notes`, { body: { notes: "x".repeat(20_000) } });
  const contact = await addContact(workspace, id);
  await workspace.api(`PATCH /counterparties/${id}/contacts/${contact.id}`, { body: { name: "Dan" } });
  await workspace.api(`DELETE /counterparties/${id}/contacts/${contact.id}`);
  const { body } = await workspace.api("GET /audit-events?limit=6");
  const [deleted, patched, added, noted, renamed, created] = body.data;
  expect(created).toMatchObject({
    action: "COUNTERPARTY_CREATED",
    payload: { target: { type: "counterparty", id } },
  });
  expect(renamed).toMatchObject({
    action: "COUNTERPARTY_UPDATED",
    actor: null,
    apiKey: { id: workspace.keyId },
    payload: { changes: { name: { from: "Northwind", to: "Southwind" } } },
  });
  expect(noted.action).toBe("COUNTERPARTY_NOTES_UPDATED");
  expect(noted.payload.changes.notes.to.length).toBeLessThan(300);
  expect(added.action).toBe("CONTACT_CREATED");
  expect(patched.payload.changes).toEqual({ name: { from: "Dana", to: "Dan" } });
  expect(deleted).toMatchObject({
    action: "CONTACT_DELETED",
    payload: { target: { type: "contact", id: contact.id } },
  });
});

test("a counterparty has at most one primary contact, even after concurrent changes", async ({
  workspace,
}) => {
  const { id } = await make(workspace);
  const names = Array.from({ length: 12 }, (_, index) => `Contact ${index}`);
  const made = await Promise.all(names.map((name) => addContact(workspace, id, { name, isPrimary: true })));
  const primary = async () => {
    const { body } = await workspace.api(`GET /counterparties/${id}/contacts`);
    expect(body.data).toHaveLength(12);
    return body.data.filter((contact: { isPrimary: boolean }) => contact.isPrimary);
  };
  expect(await primary()).toHaveLength(1);
  await Promise.all(
    made.map((contact) =>
      workspace.api(`PATCH /counterparties/${id}/contacts/${contact.id}`, { body: { isPrimary: true } }),
    ),
  );
  const [holder, ...others] = await primary();
  expect(others).toEqual([]);
  await workspace.api(`PATCH /counterparties/${id}/contacts/${holder.id}`, { body: { isPrimary: false } });
  expect(await primary()).toEqual([]);
});

test("a contact can be changed and deleted only under its own counterparty", async ({ workspace }) => {
  const { id } = await make(workspace);
  const elsewhere = await make(workspace);
  const contact = await addContact(workspace, id);
  const wrong = `/counterparties/${elsewhere.id}/contacts/${contact.id}` as const;
  expect((await workspace.api(`PATCH ${wrong}`, { body: { name: "X" } })).status).toBe(404);
  expect((await workspace.api(`DELETE ${wrong}`)).status).toBe(404);
  const right = `/counterparties/${id}/contacts/${contact.id}` as const;
  expect(await workspace.api(`DELETE ${right}`)).toMatchObject({ status: 204, text: "" });
  expect((await workspace.api(`DELETE ${right}`)).status).toBe(404);
  expect((await workspace.api(`GET /counterparties/${id}/contacts`)).body).toEqual({ data: [] });
});

test("another workspace's counterparty and its contacts are not found", async ({ workspace, other }) => {
  const { id } = await make(workspace);
  const contact = await addContact(workspace, id);
  const { api } = other;
  const answers = await Promise.all([
    api(`GET /counterparties/${id}`),
    api(`PATCH /counterparties/${id}`, { body: { name: "Mine" } }),
    api(`PUT /counterparties/${id}/notes`, { body: { notes: "Mine" } }),
    api(`GET /counterparties/${id}/contacts`),
    api(`POST /counterparties/${id}/contacts`, { body: { name: "X", email: "x@x.example" } }),
    api(`PATCH /counterparties/${id}/contacts/${contact.id}`, { body: { name: "Mine" } }),
    api(`DELETE /counterparties/${id}/contacts/${contact.id}`),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
  expect((await api("GET /counterparties")).body).toEqual({ data: [] });
});

test("all invalid fields of a counterparty or a contact are reported at once", async ({ workspace }) => {
  const paths = async (...asked: Parameters<typeof workspace.api>) => {
    const refused = await workspace.api(...asked);
    expect(refused).toMatchObject({ status: 422, body: { error: { code: "validation_error" } } });
    return refused.body.error.details.issues.map((issue: { path: string }) => issue.path).sort();
  };
  const body = {
    name: " ",
    relationshipTypes: ["CUSTOMER", "FRIEND"],
    contractCount: 3,
    notes: "x".repeat(20_001),
  };
  expect(await paths("POST /counterparties", { body })).toEqual([
    "contractCount",
    "name",
    "notes",
    "relationshipTypes.1",
  ]);
  const { id } = await make(workspace);
  expect(await paths(`PATCH /counterparties/${id}`, { body: { name: null } })).toEqual(["name"]);
  expect(await paths(`PUT /counterparties/${id}/notes`, { body: {} })).toEqual(["notes"]);
  expect(await paths(`POST /counterparties/${id}/contacts`, { body: { email: "dana" } })).toEqual([
    "email",
    "name",
  ]);
});

test("If-Match prevents overwriting a counterparty that has changed since it was read", async ({
  workspace,
}) => {
  const { id } = await make(workspace);
  const read = await workspace.api(`GET /counterparties/${id}`);
  const headers = { "if-match": read.headers.get("etag")! };
  await addContact(workspace, id);
  const stale = await workspace.api(`PATCH /counterparties/${id}`, { headers, body: { name: "Late" } });
  expect(stale).toMatchObject({ status: 412, body: { error: { code: "precondition_failed" } } });
  const tag = (await workspace.api(`GET /counterparties/${id}`)).headers.get("etag")!;
  const fresh = { headers: { "if-match": tag }, body: { notes: "In time" } };
  expect((await workspace.api(`PUT /counterparties/${id}/notes`, fresh)).status).toBe(204);
});

test("contracts can be created for a counterparty while it is being changed", async ({ workspace }) => {
  const { id } = await make(workspace);
  const both = Array.from({ length: 20 }, (_, index) => [
    workspace.contract({ counterpartyId: id }),
    workspace.api(`PATCH /counterparties/${id}`, { body: { name: `Northwind ${index}` } }),
    addContact(workspace, id, { isPrimary: true }),
  ]);
  await Promise.all(both.flat());
  const { body } = await workspace.api(`GET /counterparties/${id}`);
  expect(body.counterparty).toMatchObject({ contractCount: 20 });
  expect(body.counterparty.contacts).toHaveLength(20);
});
