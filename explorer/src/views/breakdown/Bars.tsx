import { BarList } from "../../charts/BarList.tsx";
import type { Series } from "../../charts/series.ts";
import { XYChart } from "../../charts/XYChart.tsx";
import { Card } from "../../components/Card.tsx";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { Change } from "../../components/Figure.tsx";
import { openExplanation } from "../../explain.ts";
import { figure, range, signed } from "../../format.ts";
import { said, t } from "../../text.ts";
import { breakdown as WORDS } from "../../words/later/breakdown.ts";
import { halvesOf, type Key, nameOf, placesOf, rowNameOf, shortNameOf } from "./attributes.ts";
import { Grid } from "./Grid.tsx";
import { byPlace, figureOf, inOrder, MEASURES, type Row } from "./rows.ts";
import { byText, keyOf, type Props, reasonOf, rounded, type Shown, textOf } from "./shown.ts";

/** Bars of the card; the table has all. */
const MOST = 12;

/** A figure by value: hours and weekdays in their order, two attributes of which one has an order as a map, others as bars. */
export function Bars({ by, name, query, answer, withThen, compared, isCompared }: Props) {
  const words = said(WORDS);
  const label = t().metric[name] ?? name;
  const title = words.title(label, byText(by));
  const note = !compared
    ? undefined
    : isCompared
      ? t().cockpit.comparedWith(range(compared.from, compared.to))
      : t().cockpit.comparedPartly(
          range(compared.from, compared.to),
          t().figure.incomplete(figure(compared.known, "count"), figure(compared.of, "count")),
        );
  return (
    <Card
      name="breakdown"
      title={title}
      {...(note ? { question: note } : {})}
      query={query}
      answer={answer}
      height="large"
    >
      {(answered) => {
        const data = withThen(answered);
        if (data.data.length === 0) return <EmptySmall>{words.nothing}</EmptySmall>;
        const isOrdered = by.map((one) => placesOf(one) !== undefined);
        const explain = (row: Row): void =>
          openExplanation({ endpoint: query.path, params: query.params, figure: name, row: rowNameOf(row.key as Key) });
        const shared = { by, name, data, isCompared, explain, label: title };
        return (
          <>
            <Sentence by={by} data={data} isCompared={isCompared} />
            {by.length === 1 && isOrdered[0] ? (
              <Course {...shared} />
            ) : by.length === 2 && isOrdered.includes(true) ? (
              <Grid {...shared} />
            ) : (
              <Largest {...shared} />
            )}
          </>
        );
      }}
    </Card>
  );
}

/** What sells most, and what changed most. */
function Sentence({ by, data, isCompared }: Pick<Shown, "by" | "data" | "isCompared">) {
  const words = said(WORDS);
  const named = data.data.filter(({ key }) => halvesOf(key as Key).some((half) => half !== null));
  const [first] = named.toSorted((a, b) => b.revenue - a.revenue);
  const moved = (row: Row): number => row.revenue - (row.previous?.revenue ?? 0);
  const moves = isCompared ? named.toSorted((a, b) => moved(b) - moved(a)) : [];
  const [up, down] = [moves[0], moves.at(-1)];
  const texts = [
    first && first.share !== null && first.share > 0 && words.first(textOf(by, first), figure(first.share, "ratio")),
    up && moved(up) > 0 && words.rose(textOf(by, up), signed(moved(up), "currency")),
    down && moved(down) < 0 && words.fell(textOf(by, down), signed(moved(down), "currency")),
  ].filter(Boolean);
  return texts.length === 0 ? null : <p class="sentence">{texts.join(" ")}</p>;
}

/** The largest values, each with its change. */
function Largest({ by, name, data, isCompared, explain, label }: Shown) {
  const words = said(WORDS);
  const { unit, better } = MEASURES[name];
  const rows = inOrder(data.data, by, name);
  const shown = rows.slice(0, MOST);
  const byKey = new Map(shown.map((row) => [keyOf(row), row]));
  return (
    <>
      <BarList
        label={label}
        unit={unit}
        rows={shown.map((row) => {
          const change = isCompared ? (row.changes?.[name] ?? null) : null;
          return {
            key: keyOf(row),
            label: textOf(by, row),
            value: figureOf(row, name),
            reason: reasonOf(row, name) ?? "",
            ...(change === null ? {} : { note: <Change value={rounded(change)} better={better} /> }),
          };
        })}
        onPick={({ key }) => {
          const row = byKey.get(key);
          if (row) explain(row);
        }}
      />
      {rows.length > MOST && <p class="note">{words.inTable(figure(rows.length - MOST, "count"))}</p>}
    </>
  );
}

/** Hours or weekdays: all of them, in their order, with those of the period compared with. */
function Course({ by, name, data, isCompared, explain, label }: Shown) {
  const [attribute = "hour"] = by;
  const words = said(WORDS);
  const metric = t().metric[name] ?? name;
  const places = placesOf(attribute) ?? [];
  const rows = byPlace(data.data);
  const none = name === "averageTicket" || name === "discount" ? null : 0;
  const before: Series = {
    key: "before",
    name: words.before(metric),
    as: "line",
    color: "muted",
    values: places.map((key) => {
      const previous = rows.get(key)?.previous;
      return previous ? figureOf(previous, name) : none;
    }),
    comparison: { titles: places.map((key) => nameOf(attribute, key, null)) },
  };
  return (
    <XYChart
      label={label}
      unit={MEASURES[name].unit}
      height="large"
      points={places.map((key) => ({
        key,
        label: shortNameOf(attribute, key, null),
        title: nameOf(attribute, key, null),
      }))}
      series={[
        {
          key: name,
          name: metric,
          as: "bar",
          color: "accent",
          values: places.map((key) => {
            const row = rows.get(key);
            return row ? figureOf(row, name) : none;
          }),
        },
        ...(isCompared ? [before] : []),
      ]}
      onPick={({ key }) => {
        const row = rows.get(key);
        if (row) explain(row);
      }}
    />
  );
}
