import type { Integration, Organization } from "../../contract/settings.ts";
import { Database, literal } from "../../engine/database.ts";
import { foldersOf } from "../../files/organizationFolders.ts";
import { exportedBy } from "../../records/index.ts";
import { landings } from "./ingested.ts";
import { Revocations } from "./revocations.ts";

/** The number of rows of a landed file, and when it landed. */
interface Footer {
  readonly rows: number;
  readonly landedAt: number;
}

/** The landed files of a record. */
interface Place {
  readonly organization: string;
  readonly integration: Integration;
  readonly record: string;
  readonly files: readonly string[];
}

export interface Landed {
  readonly organization: string;
  readonly integration: string;
  readonly connector: string;
  /** Rows in the lake by record; every version of a row counts. */
  readonly rows: Readonly<Record<string, number>>;
  /** Seconds since the last landing; infinite without one. */
  readonly lag: number;
}

/** Reports what has landed, from the footers of the lake's files. Each is read once: a landed file never changes. */
export class LandingWatch {
  readonly #dataDir: string;
  #footers: ReadonlyMap<string, Footer> = new Map();

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
  }

  async read(organizations: readonly Organization[], now: Date): Promise<Landed[]> {
    const places = (await Promise.all(organizations.map((one) => this.#placesOf(one)))).flat();
    const footers = await this.#footersOf(places.flatMap(({ files }) => files));
    return organizations.flatMap(({ organizationId: organization, integrations = [] }) =>
      integrations.map(({ id: integration, connector }) => {
        const own = places
          .filter((place) => place.organization === organization && place.integration.id === integration)
          .map(({ record, files }) => ({ record, files: files.flatMap((file) => footers.get(file) ?? []) }));
        const last = Math.max(...own.flatMap(({ files }) => files.map(({ landedAt }) => landedAt)));
        return {
          organization,
          integration,
          connector,
          rows: Object.fromEntries(
            own.map(({ record, files }) => [record, files.reduce((n, { rows }) => n + rows, 0)]),
          ),
          lag: (now.getTime() - last) / 1000,
        };
      }),
    );
  }

  async #placesOf({ organizationId: organization, integrations = [] }: Organization): Promise<Place[]> {
    const folders = foldersOf(this.#dataDir, organization);
    const revocations = await Revocations.of(folders);
    return Promise.all(
      integrations.flatMap((integration) =>
        exportedBy(integration.connector).map(async (record) => {
          const { files } = await landings({ folders, integration, record }, revocations);
          return { organization, integration, record: record.name, files };
        }),
      ),
    );
  }

  async #footersOf(files: readonly string[]): Promise<ReadonlyMap<string, Footer>> {
    const unread = files.filter((file) => !this.#footers.has(file));
    const read = unread.length === 0 ? new Map<string, Footer>() : await readFooters(unread);
    this.#footers = new Map(
      files.flatMap((file) => {
        const footer = this.#footers.get(file) ?? read.get(file);
        return footer ? [[file, footer]] : [];
      }),
    );
    return this.#footers;
  }
}

/** Reads with an engine of its own: the serving engines may not open files of the lake. */
async function readFooters(files: readonly string[]): Promise<Map<string, Footer>> {
  const database = await Database.open({ threads: 1 });
  try {
    const list = `[${files.map(literal).join(", ")}]`;
    const rows = await database.use((session) =>
      session.rows(
        `select file_name, num_rows, decode(value) as landed_at
          from parquet_file_metadata(${list})
          join parquet_kv_metadata(${list}) using (file_name)
          where decode(key) = 'landed_at'`,
      ),
    );
    return new Map(
      rows.map((row) => [
        String(row.file_name),
        { rows: Number(row.num_rows), landedAt: Date.parse(String(row.landed_at)) },
      ]),
    );
  } finally {
    database.close();
  }
}
