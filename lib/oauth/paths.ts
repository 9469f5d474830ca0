/** What the authorization server answers, at which paths and to whom. */

export const authorizePath = "/oauth/authorize";

interface Endpoint {
  methods: string[];
  /** Programs that run in a browser call it from their own pages. Never what people consent to. */
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
  /** The request that a person has answered, where the browser comes back to the library. */
  request: string | null;
  isResourceMetadata: boolean;
};

const resume = /^\/oauth\/authorize\/([\w-]{1,100})$/;

/** The endpoint that a path names; null where there is none. Every request asks, so most are told by the first line. */
export function endpointOf(path: string): OauthPath | null {
  if (!path.startsWith("/oauth/") && !path.startsWith("/.well-known/")) return null;
  const request = resume.exec(path)?.[1] ?? null;
  const endpoint = endpoints[request === null ? path : authorizePath];
  if (!endpoint) return null;
  return { ...endpoint, path, request, isResourceMetadata: endpoint === resourceMetadata };
}

/** Whether a path is the authorization server's to answer, or to say that it is none. */
export function isOauthPath(path: string): boolean {
  return path === "/oauth" || path.startsWith("/oauth/") || endpointOf(path) !== null;
}
