import type { Command } from "commander";
import type { Config } from "../../core/config.ts";
import type { Organization } from "../../core/contract/settings.ts";
import { goLast } from "../../core/processes/priority.ts";
import { once } from "../../core/terminal/usage.ts";
import { effectOf } from "./effectOf.ts";

export function settingsEffectCommand(program: Command, config: () => Config): void {
  program
    .command("settings-effect", { hidden: true })
    .description("what other settings would change in the answers")
    .requiredOption("--organization <id>", "the organization", once)
    .requiredOption("--settings <json>", "the settings that it would have", once)
    .action(async ({ organization, settings }: { organization: string; settings: string }) => {
      goLast();
      const effect = await effectOf(config(), organization, JSON.parse(settings) as Organization);
      console.log(JSON.stringify(effect));
    });
}
