import type { Listed, ToolBackend } from "./tool.ts";
import { ToolError } from "./tool.ts";
import { only } from "./tools/common.ts";

/** The organization that a call names by id or name, among those of the client; without one the only one. */
export async function resolveOrganization(backend: ToolBackend, wanted: string | undefined): Promise<Listed> {
  const { id, name } = only(await backend.names(), wanted, "organization", { pt: "organização", en: "organization" });
  const [listed] = await backend.organizations([id]);
  if (!listed)
    throw new ToolError({
      pt: `\`organization\`: ${name} não existe mais.`,
      en: `\`organization\`: ${name} does not exist any more.`,
    });
  return listed;
}
