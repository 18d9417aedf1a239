import type { Organization } from "../../src/core/contract/settings.ts";
import type { Database } from "../../src/core/engine/database.ts";
import type { OrganizationFolders } from "../../src/core/files/organizationFolders.ts";
import { type DataFolder, exportsOf, oneStore, STOREA, STOREB, storeaOrder } from "./data.ts";
import { landAll } from "./increments.ts";

/** A store of each kind. */
export const INTEGRATIONS: NonNullable<Organization["integrations"]> = [
  { id: STOREA, connector: "storea", name: "a" },
  { id: STOREB, connector: "storeb", name: "b" },
];
export const SETTINGS: Organization = { ...oneStore(), integrations: INTEGRATIONS };

/** Orders with their values. */
export const storeaExport = (values: Readonly<Record<string, number>>, changed: string): string =>
  JSON.stringify(Object.entries(values).map(([id, value]) => storeaOrder({ id, value, changed })));

export const land = (database: Database, folders: OrganizationFolders, landing: number): Promise<void> =>
  landAll(database, folders, INTEGRATIONS, { landing, landedAt: `2025-03-0${landing}T12:00:00.000Z` });

/** The items of storea's orders, each with its price. */
export const items = (database: Database, folder: string): Promise<string[]> =>
  database.use((session) =>
    session.texts(
      `select order_id || ' ' || selling_price::decimal(9, 1) from read_parquet('${folder}/storea_item_rows*.parquet') order by all`,
    ),
  );

export const write = (data: DataFolder, store: string, name: string, content: string): Promise<unknown> =>
  data.write(`${exportsOf(store, "orders")}/${name}.json`, content);
