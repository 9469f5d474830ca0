/** The authorization server's endpoints: their paths, methods and CORS. */

export const authorizePath = "/oauth/authorize";

interface Endpoint {
  methods: string[];
  /** Whether pages of other origins may call it, for programs that run in a browser. Never set for the consent page. */
  isForPages?: boolean;
}

const resourceMetadata = { methods: ["GET"], isForPages: true };

const endpoints: Record<string, Endpoint> = {
  [authorizePath]: { methods: ["GET"] },
  "/oauth/token": { methods: ["POST"], isForPages: true },
  "/oauth/register": { methods: ["POST"], isForPages: true },
  "/oauth/revoke": { methods: ["POST"], isForPages: true },
  "/oauth/jwks": { methods: ["GET"], isForPages: true },
  "/.well-known/oauth-authorization-server": { methods: ["GET"], isForPages: true },
  "/.well-known/openid-configuration": { methods: ["GET"], isForPages: true },
  "/.well-known/oauth-protected-resource": resourceMetadata,
  "/.well-known/oauth-protected-resource/mcp": resourceMetadata,
};

export type OauthPath = Endpoint & {
  path: string;
  /** The id of the request that a person has decided, when the browser returns to the library. */
  request: string | null;
  isResourceMetadata: boolean;
};

const resume = /^\/oauth\/authorize\/([\w-]{1,100})$/;

/**
 * Returns the endpoint of a path; null if there is none. It is called for every request, so the first line rules most
 * out.
 */
export function endpointOf(path: string): OauthPath | null {
  if (!path.startsWith("/oauth/") && !path.startsWith("/.well-known/")) return null;
  const request = resume.exec(path)?.[1] ?? null;
  const endpoint = endpoints[request === null ? path : authorizePath];
  if (!endpoint) return null;
  return { ...endpoint, path, request, isResourceMetadata: endpoint === resourceMetadata };
}

/** Whether a path belongs to the authorization server, even if only for a 404. */
export function isOauthPath(path: string): boolean {
  return path === "/oauth" || path.startsWith("/oauth/") || endpointOf(path) !== null;
}
