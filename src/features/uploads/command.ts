import type { Command } from "commander";
import type { Config } from "../../core/config.ts";
import { once } from "../../core/terminal/usage.ts";
import { arrived, undo } from "./arrived.ts";
import { land, settingsOf } from "./land.ts";
import { lookAt } from "./look.ts";
import { Uploads } from "./store.ts";
import type { LandedExport, Wish } from "./upload.ts";

/** What a service has done in a child process: files are read there alone. */
export type UploadTask =
  | { readonly do: "look"; readonly upload: string; readonly wish: Wish }
  | { readonly do: "land"; readonly upload: string }
  | { readonly do: "undo"; readonly exports: readonly LandedExport[] }
  | { readonly do: "arrived"; readonly integration: string; readonly before?: number };

export function uploadsCommand(program: Command, config: () => Config): void {
  program
    .command("uploads", { hidden: true })
    .description("read, land or undo a file that was dropped on the page")
    .requiredOption("--organization <id>", "the organization", once)
    .requiredOption("--task <json>", "what a service has done", once)
    .action(async ({ organization, task }: { organization: string; task: string }) => {
      const result = await done(config(), organization, JSON.parse(task) as UploadTask);
      if (result !== undefined) console.log(JSON.stringify(result));
    });
}

async function done(config: Config, organization: string, task: UploadTask): Promise<object | undefined> {
  const uploads = new Uploads(config.dataDir);
  switch (task.do) {
    case "look":
      await lookAt(config, uploads, await settingsOf(config, organization), { id: task.upload, wish: task.wish });
      return undefined;
    case "land":
      await land(config, uploads, organization, task.upload);
      return undefined;
    case "undo":
      await undo(config, uploads, organization, task.exports);
      return undefined;
    case "arrived":
      return arrived(config, organization, task.integration, task.before);
  }
}
