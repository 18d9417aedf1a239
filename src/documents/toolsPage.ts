import type { Param } from "../core/contract/param.ts";
import { isSent } from "../core/contract/param.ts";
import { describe, valuesOf } from "../core/params/kinds.ts";
import type { Tool } from "../features/mcp/tool.ts";
import { table } from "./text.ts";

/** Values of long lists are in the schema that the service sends. */
const LONGEST_VALUES = 200;

function line([name, param]: [string, Param]): string[] {
  const values = valuesOf(param);
  const shown = values.length > LONGEST_VALUES ? "names of figures" : values;
  return [`\`${name}\`${param.required ? " (required)" : ""}`, shown, describe(param)];
}

function section(tool: Tool): string {
  const endpoints = "sections" in tool ? Object.values(tool.sections).map(({ endpoint }) => `\`${endpoint}\``) : [];
  const asks = endpoints.length > 0 ? `\n\nAnswers of ${endpoints.join(", ")}.` : "";
  const args = Object.entries(tool.input).filter(([, param]) => isSent(param));
  return `## ${tool.name}\n\n${tool.description}${asks}\n\n${table(["Argument", "Values", "Meaning"], args.map(line))}`;
}

/** `docs/tools.md`: the tools for agents. */
export const toolsPage = (tools: readonly Tool[]): string => `# Tools for agents

Written by \`npm run documents\` from \`src/features/mcp/tools\`. [For agents](mcp.md) says how to connect.

${tools.map(section).join("\n\n")}
`;
