import { figure, short } from "../../format.ts";
import { said } from "../../text.ts";
import { breakdown as WORDS } from "../../words/later/breakdown.ts";
import { scaleOver, strengthOf } from "../customers/averages.ts";
import { halvesOf, type Key, nameOf, placesOf, shortNameOf } from "./attributes.ts";
import type { Attribute } from "./chosen.ts";
import { figureOf, MEASURES, type Row } from "./rows.ts";
import { type Shown, textOf } from "./shown.ts";

/** Rows of the map; the table has all. */
const MOST = 20;

interface Line {
  readonly key: string | null;
  readonly label: string | null;
  readonly sum: number;
  readonly cells: ReadonlyMap<string, Row>;
}

/** Two attributes of which one has an order, which is across: the stronger a cell, the larger. */
export function Grid({ by, name, data, explain, label }: Shown) {
  const words = said(WORDS);
  const [first = "hour", second = "hour"] = by;
  // Of hours and weekdays, the weekdays are the rows.
  const isTurned = placesOf(second) === undefined || (first === "hour" && second === "weekday");
  const [down, across] = isTurned ? [second, first] : [first, second];
  const columns = placesOf(across) ?? [];
  const all = linesOf(data.data, isTurned, down);
  const lines = all.slice(0, MOST);
  const { unit } = MEASURES[name];
  const values = data.data.flatMap((row) => figureOf(row, name) ?? []);
  const scale = scaleOver(values, true);
  return (
    <>
      <div class="heat">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
        <section class="heat-scroll" tabIndex={0} aria-label={label}>
          <table>
            <caption class="unseen">{label}</caption>
            <thead>
              <tr>
                <th scope="col">{words.attributes[down]}</th>
                {columns.map((key) => (
                  <th key={key} scope="col" title={nameOf(across, key, null)}>
                    {shortNameOf(across, key, null)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => (
                <tr key={String(line.key)} data-row={line.key ?? ""}>
                  <th scope="row">{nameOf(down, line.key, line.label)}</th>
                  {columns.map((key) => {
                    const row = line.cells.get(key);
                    const value = row ? figureOf(row, name) : null;
                    return (
                      <td
                        key={key}
                        class="cell"
                        style={{
                          "--strength": `${Math.round((value === null ? 0 : strengthOf(value, scale)) * 100)}%`,
                        }}
                      >
                        {row && (
                          <button
                            type="button"
                            class="cell-button"
                            title={`${textOf(by, row)}: ${figure(value, unit)}`}
                            onClick={() => explain(row)}
                          >
                            {value === null ? "–" : short(value, unit)}
                          </button>
                        )}
                      </td>
                    );
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </div>
      <p class="note">
        {words.scale} {all.length > MOST && words.inTable(figure(all.length - MOST, "count"))}
      </p>
    </>
  );
}

/** The rows of the map: in their order if they have one, else the largest first. */
function linesOf(rows: readonly Row[], isTurned: boolean, down: Attribute): readonly Line[] {
  const lines = new Map<string | null, Line>();
  for (const row of rows) {
    const [keys, labels] = [halvesOf(row.key as Key), halvesOf(row.label as Key)];
    const [of, at] = isTurned ? [1, 0] : [0, 1];
    const key = keys[of] ?? null;
    const line = lines.get(key);
    const cells = new Map(line?.cells).set(keys[at] ?? "", row);
    lines.set(key, { key, label: labels[of] ?? null, sum: (line?.sum ?? 0) + row.revenue, cells });
  }
  const places = placesOf(down);
  return [...lines.values()].sort((a, b) =>
    places
      ? places.indexOf(a.key ?? "") - places.indexOf(b.key ?? "")
      : Number(a.key === null) - Number(b.key === null) || b.sum - a.sum,
  );
}
