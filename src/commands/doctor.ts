import type { Command } from "commander";
import type { Config } from "../config.ts";
import { endpoints } from "../endpoints/index.ts";
import { readSql } from "../engine/answers.ts";
import type { Session } from "../engine/database.ts";
import { offences } from "../engine/integrity.ts";
import { openServing } from "../engine/serving.ts";
import { currentGeneration } from "../marts/generations.ts";
import { knownOrganizations } from "./organizations.ts";
import { table } from "./table.ts";

/** What the doctor looks at, a SQL file each; the title says what its rows are. */
const LOOKS = [
  { sql: "doctor/freshness", title: "when each integration last landed a file" },
  { sql: "doctor/currencies", title: "counted orders in a foreign currency" },
  { sql: "doctor/unmatched_campaigns", title: "utm_campaigns that match no landed campaign, by revenue" },
  { sql: "doctor/unclassified_campaigns", title: "campaigns that no rule classes, by spend" },
  { sql: "doctor/items_without_cost", title: "products sold without a cost, by revenue" },
] as const;

export function doctorCommand(program: Command, config: () => Config): void {
  program
    .command("doctor")
    .description("settings, freshness, currencies, and what matches nothing")
    .action(() => doctor(config()));
}

async function doctor(config: Config): Promise<void> {
  const problems: string[] = [];
  const organizations = await knownOrganizations(config.dataDir, (problem) => problems.push(problem));
  for (const problem of problems) console.log(`settings: ${problem}`);
  for (const { organizationId, name } of organizations) {
    console.log(`\n${name} (${organizationId})`);
    const generation = await currentGeneration(config.dataDir, organizationId);
    if (!generation) {
      problems.push(organizationId);
      console.log("  nothing is derived yet: run sync");
      continue;
    }
    const database = await openServing(config, organizationId);
    try {
      await database.use(async (session) => {
        await session.set("marts", generation.folder);
        const found = await offences(session, endpoints, {
          startDate: null,
          endDate: null,
          view: "revenue",
          groupBy: "month",
        });
        console.log(`\n  figures that contradict each other: ${found.length === 0 ? "none" : ""}`);
        for (const { query, rows } of found) {
          problems.push(query);
          console.log(`    ${query}: ${JSON.stringify(rows.slice(0, 3))}`);
        }
      });
      for (const look of LOOKS) await database.use((session) => show(session, generation.folder, look.sql, look.title));
    } finally {
      database.close();
    }
  }
  if (problems.length > 0) process.exitCode = 1;
}

async function show(session: Session, folder: string, sql: string, title: string): Promise<void> {
  await session.set("marts", folder);
  const rows = await session.rows(await readSql(sql));
  console.log(`\n  ${title}: ${rows.length === 0 ? "none" : ""}`);
  if (rows.length === 0) return;
  const columns = Object.keys(rows[0] ?? {});
  const text = table(
    columns,
    rows.map((row) => columns.map((column) => String(row[column] ?? ""))),
  );
  console.log(
    text
      .split("\n")
      .map((line) => `    ${line}`)
      .join("\n"),
  );
}
