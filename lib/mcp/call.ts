/** Runs a tool for a caller. Returns its result, or an error that says what was wrong and what to do next. */
import type { Context } from "#lib/core/context.ts";
import { Refusal } from "#lib/core/errors.ts";
import { parseInput } from "#lib/core/execute.ts";
import { serialize } from "#lib/core/serialize.ts";
import { refusalOf } from "#lib/http/respond.ts";
import { clipToTokens } from "./answers/budget.ts";
import { type AnyTool, callerFor, missingScopes, operationsOf } from "./tools/tool.ts";

type ToolResult = {
  content: { type: "text"; text: string }[];
  structuredContent: Record<string, unknown>;
  isError?: true;
};

export async function callTool(ctx: Context, tool: AnyTool, input: unknown): Promise<ToolResult> {
  try {
    refuseMissing(ctx, tool);
    parseInput(tool.input, input);
    const { data, text } = await tool.run(callerFor(ctx, operationsOf(tool)), input as object);
    return {
      content: [{ type: "text", text }],
      structuredContent: JSON.parse(serialize(tool.output, data)),
    };
  } catch (error) {
    return errorResult(refusalOf(error, ctx.requestId ?? ""));
  }
}

function refuseMissing({ scopes, assistant }: Context, tool: AnyTool): void {
  const missing = missingScopes(tool, scopes);
  if (missing.length === 0) return;
  const needed = `${tool.name} needs the scope${missing.length > 1 ? "s" : ""} ${missing.join(" and ")}`;
  throw new Refusal(
    "insufficient_scope",
    assistant
      ? `${needed}, which this connection does not have: it was not granted, or your role or the workspace does not allow it. Settings, Connected assistants, tells which.`
      : `${needed}, which the API key does not have. Use a key with full access.`,
  );
}

/** An input can have hundreds of issues, each under a name that the sender made up. */
const shownIssues = 20;
const messageTokens = 600;

function errorResult({ code, message, issues }: Refusal): ToolResult {
  const shown = issues?.slice(0, shownIssues).map((issue) => ({
    path: clipToTokens(issue.path, 60),
    message: clipToTokens(issue.message, 60),
  }));
  const lines = shown?.map(({ path, message }) => `- ${path || "the input"} ${message}`) ?? [];
  const more = issues && issues.length > shownIssues ? [`and ${issues.length - shownIssues} more`] : [];
  const text = clipToTokens(message, messageTokens);
  return {
    isError: true,
    content: [{ type: "text", text: [`${code}: ${text}`, ...lines, ...more].join("\n") }],
    structuredContent: { error: { code, message: text, ...(shown ? { issues: shown } : {}) } },
  };
}
