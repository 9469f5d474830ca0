/** The storage of oidc-provider, in the product's tables. */
import type { Adapter, AdapterFactory, AdapterPayload } from "oidc-provider";
import {
  type ArtifactKind,
  artifactKinds,
  consumeArtifact,
  deleteArtifact,
  findArtifact,
  saveArtifact,
  UsedAgain,
} from "#lib/assistants/artifacts.ts";
import { findClient, type Metadata, saveClient } from "#lib/assistants/clients.ts";
import { findActiveGrant, revokeGrantBySystem } from "#lib/assistants/grants.ts";
import { assistantResource } from "#lib/assistants/tokens.ts";

/**
 * For models of the library that are not stored. The most important is its own session: people are already signed in
 * here.
 */
const nothing: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
};

const clients: Adapter = {
  ...nothing,
  upsert: (id, payload) => saveClient(id, payload as Metadata),
  find: async (id) => (await findClient(id)) as AdapterPayload | undefined,
};

const replayed = "A code or refresh token was used a second time";
const givenUp = "The assistant ended the connection";

/** Grants, which are created when people consent (assistants/requests.ts), and only read and ended here. */
function grantsEndedBy(route: () => string | undefined): Adapter {
  return {
    ...nothing,
    async find(id) {
      const grant = await findActiveGrant(id);
      if (!grant) return undefined;
      const { userId: accountId, clientId, scopes, createdAt, expiresAt } = grant;
      const [iat, exp] = [createdAt, expiresAt].map((date) => Math.floor(date.getTime() / 1000));
      // Programs may also name the resource with a trailing slash.
      const names = [assistantResource(), `${assistantResource()}/`];
      const resources = Object.fromEntries(names.map((name) => [name, scopes.join(" ")]));
      const openid = { scope: "offline_access" };
      return { ...{ jti: id, kind: "Grant", accountId, clientId, resources, openid }, iat: iat!, exp: exp! };
    },
    destroy: (id) => revokeGrantBySystem(id, route() === "revocation" ? givenUp : replayed),
  };
}

function artifactsOf(kind: ArtifactKind, usedAgain: () => Error): Adapter {
  return {
    ...nothing,
    upsert: (id, payload, seconds = 0) => saveArtifact(kind, id, payload as Metadata, seconds),
    find: async (id) => (await findArtifact(kind, id)) as AdapterPayload | undefined,
    destroy: (id) => deleteArtifact(kind, id),
    async consume(id) {
      try {
        await consumeArtifact(kind, id);
      } catch (error) {
        if (!(error instanceof UsedAgain)) throw error;
        // Two concurrent uses: the library saw neither.
        if (error.grantId) await revokeGrantBySystem(error.grantId, replayed);
        throw usedAgain();
      }
    },
  };
}

/** `route` returns the current endpoint's name, `usedAgain` the error for a second use of a code or token. */
export function adapters(route: () => string | undefined, usedAgain: () => Error): AdapterFactory {
  return (model) => {
    if (model === "Client") return clients;
    if (model === "Grant") return grantsEndedBy(route);
    const kind = artifactKinds.find((known) => known === model);
    return kind ? artifactsOf(kind, usedAgain) : nothing;
  };
}
