import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { OperatorError } from "../../../core/contract/error.ts";
import { LOG, linesOf } from "../../../core/coordination/fileLogs.ts";
import { withWriterLock } from "../../../core/engine/lock.ts";
import { writeWhole } from "../../../core/files/durable.ts";
import { foldersOf } from "../../../core/files/organizationFolders.ts";
import { paths } from "../../../core/files/paths.ts";
import { filesOfState, mark, markerOf } from "../openCoordination.ts";
import { Connections } from "./connections.ts";

/** Moved entries: documents by their names, pointers by their places in the data folder. */
type Moved = readonly string[];

/** A file that was imported stays under this name, out of use. */
const BEFORE = ".before-database";
const WAIT_MS = 60_000;
/** The lines of a log that has none yet. */
const ADD_LINES = `
insert into lucra.logs (name, number, line)
  select $1, one.number, one.line from jsonb_array_elements($2::jsonb) with ordinality as one (line, number)`;
const TAKE_LINES = `
with taken as (delete from lucra.logs returning name, number, line)
select name, string_agg(line::text || chr(10), '' order by number) as lines from taken group by name order by name`;
const MART = /organization_id=(.+)$/;

/** Moves people, credentials, links, sessions, logs and pointers of a data folder into the database, all or nothing. */
export async function importState(url: string, dataDir: string): Promise<Moved> {
  const connections = new Connections(url);
  try {
    return await withWriterLock(dataDir, WAIT_MS, async () => {
      const files = await filesOfState(dataDir);
      const contents = await Promise.all(files.map((file) => readFile(path.join(dataDir, file), "utf8")));
      await connections.transaction(async (query) => {
        const [there] = await query(
          `select (select count(*) from lucra.documents) + (select count(*) from lucra.pointers)
            + (select count(*) from lucra.logs) as count`,
        );
        if (Number(there?.count) > 0 && files.length > 0)
          throw new OperatorError("the database has credentials or pointers already: it belongs to one data folder");
        for (const [n, file] of files.entries()) {
          const [, organization] = MART.exec(path.dirname(file)) ?? [];
          // The name of a document is its place in the data folder.
          const values = [organization === undefined ? file : path.basename(file), contents[n]];
          if (file.endsWith(LOG)) {
            await query(ADD_LINES, [path.basename(file, LOG), JSON.stringify(linesOf(contents[n] ?? ""))]);
          } else if (organization === undefined) {
            await query(
              `insert into lucra.documents (name, content, version, changed_at)
                values ($1, $2, nextval('lucra.versions'), clock_timestamp())`,
              values,
            );
          } else {
            await query(
              `insert into lucra.pointers (name, content, organization, version, changed_at)
                values ($1, $2, $3, nextval('lucra.versions'), clock_timestamp())`,
              [...values, organization],
            );
          }
        }
      });
      mark(dataDir);
      for (const file of files) await rename(path.join(dataDir, file), path.join(dataDir, `${file}${BEFORE}`));
      return files;
    });
  } finally {
    await connections.close();
  }
}

/** The way back: writes the files, then empties the tables. No worker may run. */
export async function exportState(url: string, dataDir: string): Promise<Moved> {
  const connections = new Connections(url);
  try {
    if (!existsSync(markerOf(dataDir))) throw new OperatorError(`${dataDir} is not coordinated by a database`);
    return await withWriterLock(dataDir, WAIT_MS, async () => {
      const moved: string[] = [];
      await connections.transaction(async (query) => {
        const [busy] = await query("select 1 from pg_stat_activity where application_name like 'lucra writer %'");
        if (busy) throw new OperatorError("a sync or a worker runs: stop all of them first");
        for (const { name, content } of await query("delete from lucra.documents returning name, content")) {
          const file = path.join(dataDir, String(name));
          await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
          await writeWhole(file, String(content), 0o600);
          moved.push(String(name));
        }
        for (const { name, lines } of await query(TAKE_LINES)) {
          const file = path.join(paths.audit(dataDir), `${name}${LOG}`);
          await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
          await writeWhole(file, String(lines), 0o600);
          moved.push(path.relative(dataDir, file));
        }
        for (const { organization, name, content } of await query(
          "delete from lucra.pointers returning organization, name, content",
        )) {
          const file = path.join(foldersOf(dataDir, String(organization)).mart, String(name));
          await writeWhole(file, String(content));
          moved.push(path.relative(dataDir, file));
        }
      });
      await rm(markerOf(dataDir), { force: true });
      return moved.sort();
    });
  } finally {
    await connections.close();
  }
}
