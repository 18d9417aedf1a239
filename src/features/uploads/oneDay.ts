import type { ExpenseItem, Integration } from "../../core/contract/settings.ts";
import { literal } from "../../core/engine/database.ts";
import type { LandedAlone } from "../import/preview.ts";

/** The expenses of one item that name one day each. */
export interface OneDay {
  readonly item: string;
  readonly rows: number;
  readonly sum: string;
  /** What the settings, or the person, say; null: nothing yet. */
  readonly of: "day" | "month" | null;
}

type Spread = NonNullable<Integration["oneDayExpenses"]>;

/** What the settings of an integration say of expenses that name one day. */
export const oneDayOf = (
  one: Pick<Integration, "oneDayExpenses"> | undefined,
  item: string,
): "day" | "month" | undefined => one?.oneDayExpenses?.[item as ExpenseItem];

/** The expenses of a table that name one day each, by item; none of another record. */
export async function oneDayIn({ session, place, rows }: LandedAlone, said: Spread = {}): Promise<OneDay[]> {
  const { record, integration } = place;
  if (record.connector !== "finance" || record.name !== "expenses") return [];
  const found = await session.rows(
    `select item, count(*)::int as "rows", sum(amount)::decimal(18, 2)::varchar as "sum"
      from read_parquet([${rows.map(literal).join(", ")}], union_by_name = true)
      where date_start = date_stop group by item order by item`,
  );
  return found.map(({ item, rows: n, sum }) => ({
    item: String(item),
    rows: Number(n),
    sum: String(sum),
    of: oneDayOf({ oneDayExpenses: said }, String(item)) ?? oneDayOf(integration, String(item)) ?? null,
  }));
}
