/** Finds the operation for a method and a path. */
import { Refusal } from "#lib/core/errors.ts";
import type { AnyOperation } from "#lib/core/operation.ts";

export interface Match {
  /** As written in the route table: `POST /contracts/{id}/status`. */
  route: string;
  operation: AnyOperation;
  parameters: Record<string, string>;
}

interface Node {
  fixed: Map<string, Node>;
  parameter?: Node;
  methods?: Map<string, { route: string; operation: AnyOperation; names: string[] }>;
}

const isParameter = (segment: string) => segment.startsWith("{");

/** Creates a matcher for a route table with keys such as `METHOD /path/{name}`. */
export function router(routes: Record<string, AnyOperation>) {
  const root: Node = { fixed: new Map() };
  for (const [route, operation] of Object.entries(routes)) {
    const [method = "", path = ""] = route.split(" ");
    const segments = path.split("/").slice(1);
    const node = segments.reduce(grow, root);
    node.methods ??= new Map();
    const names = segments.filter(isParameter).map((segment) => segment.slice(1, -1));
    node.methods.set(method, { route, operation, names });
  }

  return function match(method: string, path: string): Match {
    const values: string[] = [];
    let node: Node | undefined = root;
    for (const segment of path.split("/").slice(1)) {
      const fixed: Node | undefined = node.fixed.get(segment);
      if (!fixed) values.push(decoded(segment, path));
      node = fixed ?? node.parameter;
      if (!node) break;
    }
    if (!node?.methods) throw unknownPath(path);
    const found = node.methods.get(method === "HEAD" ? "GET" : method);
    if (!found) throw wrongMethod(method, node.methods.keys());
    const parameters = Object.fromEntries(found.names.map((name, index) => [name, values[index] ?? ""]));
    return { route: found.route, operation: found.operation, parameters };
  };
}

function grow(node: Node, segment: string): Node {
  if (isParameter(segment)) {
    node.parameter ??= { fixed: new Map() };
    return node.parameter;
  }
  let next = node.fixed.get(segment);
  if (!next) {
    next = { fixed: new Map() };
    node.fixed.set(segment, next);
  }
  return next;
}

/** Rejects a segment that cannot be an id (broken escapes, NUL) before it reaches the database. */
function decoded(segment: string, path: string): string {
  try {
    const value = decodeURIComponent(segment);
    if (value !== "" && value.length <= 200 && !value.includes("\u0000")) return value;
  } catch {}
  throw unknownPath(path);
}

function unknownPath(path: string): Refusal {
  return new Refusal(
    "not_found",
    `There is nothing at ${path.slice(0, 200) || "/"}. GET /openapi.json lists all endpoints.`,
  );
}

export function wrongMethod(method: string, known: Iterable<string>): Refusal {
  const allow = [...known].flatMap((name) => (name === "GET" ? ["GET", "HEAD"] : [name])).join(", ");
  return new Refusal("method_not_allowed", `${method} is not allowed here. Allowed: ${allow}.`, {
    headers: { allow },
  });
}
