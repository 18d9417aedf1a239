import { useState } from "preact/hooks";
import { figure, month, points, signed, type Unit } from "../../format.ts";
import { said, t } from "../../text.ts";
import { saving as SAVING } from "../../words/later/saving.ts";
import type { Effect, Moved } from "./effect.ts";

/** The figures that owners look at first, by family; a figure that is in two is shown once. */
const MAIN: readonly (readonly [family: string, names: readonly string[]])[] = [
  ["statement", ["netRevenue", "contribution1", "contribution2", "contribution3", "profit"]],
  ["cards", ["contributionProfit", "marginPercent", "cac", "ltv", "ltvCacRatio", "roi"]],
  ["acquisition", ["acquisitionCac", "acquisitionRoi"]],
];

interface Row extends Moved {
  readonly name: string;
}

/** What a change makes of the figures of the last whole month: the main ones, and the others on demand. */
export function EffectTable({ effect: { period, figures } }: { effect: Effect }) {
  const words = said(SAVING);
  const [isOpen, setOpen] = useState(false);
  if (period === null) return <p data-effect="none">{words.noMonth}</p>;
  const all = Object.entries(figures).flatMap(([family, byName]) =>
    Object.entries(byName).map(([name, moved]) => ({ family, name, ...moved })),
  );
  const changed = all.filter(({ now, after }, at) => {
    const isFirst = all.findIndex((one) => one.name === all[at]?.name) === at;
    return now !== after && isFirst;
  });
  const isMain = (one: (typeof all)[number]): boolean =>
    MAIN.some(([family, names]) => family === one.family && names.includes(one.name));
  const main = changed.filter(isMain);
  const others = changed.filter((one) => !isMain(one));
  const shown = isOpen || main.length === 0 ? [...main, ...others] : main;
  return (
    <div class="effect" data-effect={changed.length}>
      <p>
        <strong>{words.effectOf(month(period.startDate))}</strong>
      </p>
      {changed.length === 0 ? <p>{words.nothing}</p> : <Figures rows={shown} />}
      {shown.length < changed.length && (
        <button type="button" class="link" onClick={() => setOpen(true)}>
          {words.more(figure(changed.length - shown.length, "count"))}
        </button>
      )}
    </div>
  );
}

function Figures({ rows }: { rows: readonly Row[] }) {
  const words = said(SAVING);
  return (
    <div class="effect-table">
      <table>
        <thead>
          <tr>
            <th scope="col">{words.figure}</th>
            <th scope="col">{words.before}</th>
            <th scope="col">{words.after}</th>
            <th scope="col">{words.difference}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name} data-figure={row.name}>
              <th scope="row">{t().metric[row.name] ?? row.name}</th>
              <td>{figure(row.now, unitOf(row.name))}</td>
              <td>
                <strong>{figure(row.after, unitOf(row.name))}</strong>
              </td>
              <td>{differenceOf(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Those that are no amounts. */
const UNITS: readonly (readonly [RegExp, Unit])[] = [
  [/(Ratio)$/, "times"],
  [/percent$/i, "percent"],
  [/(roi|rate|share)$/i, "ratio"],
  [/(customers|orders|purchases)$/i, "count"],
];

const unitOf = (name: string): Unit => UNITS.find(([pattern]) => pattern.test(name))?.[1] ?? "currency";

function differenceOf({ name, change }: Row): string {
  if (change === null) return t().notAvailable;
  const unit = unitOf(name);
  // A difference of percentages is in points.
  if (unit === "ratio") return inPoints(points(change));
  if (unit === "percent") return inPoints(points(change / 100));
  return signed(change, unit);
}

const inPoints = (value: string): string => said(SAVING).points(value);
