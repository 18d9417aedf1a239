import { readFileSync } from "node:fs";
import path from "node:path";
import { PROJECT } from "../../core/files/paths.ts";
import { callTool, failureText, type Language } from "./call.ts";
import { inputSchema, outputSchema } from "./schema.ts";
import type { ToolBackend } from "./tool.ts";
import { tools } from "./tools/index.ts";

type Sdk = typeof import("@modelcontextprotocol/server");

/** The SDK. Loading it takes 0.1 s. */
export const loadSdk = (): Promise<Sdk> => import("@modelcontextprotocol/server");

const INSTRUCTIONS =
  "Lucra computes profitability from the orders and media spend of e-commerce organizations: revenue, contribution, CAC, LTV, " +
  "payback, cohorts, products. Every figure in a result is computed by the service: quote it, and do not recompute it. A result " +
  "names its period, the freshness of the data (asOf), and unit and definition of each figure; null is not zero, and the definition " +
  "says when it occurs. `more` says what was left out and where it is. For the origin of a figure, pass the address of its section to " +
  "explain. Prefer the other tools over sql.";

const VIEWS = "lucra://views";

/** The tools as clients list them. */
export const listed = tools.map((tool) => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: inputSchema(tool),
  outputSchema: outputSchema(tool),
  annotations: {
    title: tool.title,
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
}));

const version = (): string => JSON.parse(readFileSync(path.join(PROJECT, "package.json"), "utf8")).version;

interface Options {
  readonly backend: (signal: AbortSignal) => ToolBackend;
  readonly requestId: string;
  /** Of failures; English if it is left out. */
  readonly language?: Language;
  /** The result of a call of a tool, known or not. */
  readonly onCall?: (tool: string, failed: boolean) => void;
  /** An error that is no refusal. */
  readonly onFailure?: (error: unknown) => void;
}

/** A server for one client. */
export function makeServer(
  { Server, ProtocolError, ProtocolErrorCode, ResourceNotFoundError }: Sdk,
  { backend, requestId, language, onCall, onFailure }: Options,
): InstanceType<Sdk["Server"]> {
  const server = new Server(
    { name: "lucra", title: "Lucra", version: version() },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler("tools/list", async () => ({ tools: listed as never }));
  server.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (!tool) {
      onCall?.("unknown", true);
      const names = tools.map(({ name }) => name).join(", ");
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool of this name. There are: ${names}.`);
    }
    try {
      const result = await callTool(tool, params.arguments, backend(mcpReq.signal));
      onCall?.(tool.name, false);
      return { content: [{ type: "text", text: JSON.stringify(result) }], structuredContent: result };
    } catch (error) {
      onCall?.(tool.name, true);
      onFailure?.(error);
      return { content: [{ type: "text", text: failureText(error, requestId, language) }], isError: true };
    }
  });
  server.setRequestHandler("resources/list", async () => ({
    resources: [
      {
        uri: VIEWS,
        name: "views",
        title: "Views",
        description: "The views that `sql` may read.",
        mimeType: "text/markdown",
      },
    ],
  }));
  server.setRequestHandler("resources/templates/list", async () => ({ resourceTemplates: [] }));
  server.setRequestHandler("resources/read", async ({ params }, { mcpReq }) => {
    if (params.uri !== VIEWS) throw new ResourceNotFoundError(params.uri);
    const lines = backend(mcpReq.signal).views.map(({ name, grain }) => `- \`${name}\`: ${grain}`);
    const text = `A row of each view is:\n\n${lines.join("\n")}\n\nThe tool describe_views lists the columns of one.\n`;
    return { contents: [{ uri: VIEWS, mimeType: "text/markdown", text }] };
  });
  return server;
}
