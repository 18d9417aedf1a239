import { type Answer, dataOf } from "../../answer.ts";
import type { Bridge, Line, Statement } from "../../answers.ts";
import type { Query } from "../../api.ts";
import { Waterfall } from "../../charts/Waterfall.tsx";
import { Card } from "../../components/Card.tsx";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { hasLacks } from "../../components/Lacking.tsx";
import { Table } from "../../components/Table.tsx";
import { openExplanation } from "../../explain.ts";
import { figure, hero, range, signed } from "../../format.ts";
import type { Compared } from "../../period.ts";
import { changedTotal, isTotal, linesTo } from "../../statement.ts";
import { lang, t } from "../../text.ts";

interface Props {
  readonly query: Query;
  readonly answer: Answer<Statement>;
  /** What customers and products did to revenue and margin. */
  readonly bridge: Bridge | undefined;
  readonly compared: Compared | undefined;
}

export interface Part {
  readonly line: Line;
  readonly value: number;
}

/** How many lines the sentence names. */
const NAMED = 3;

/** What changed since the period compared with: the statement's lines, which add up. */
export function Changes({ query, answer, bridge, compared }: Props) {
  const words = t().cockpit;
  const total = changedTotalOf(dataOf(answer));
  const title = words.changed(t().metric[total] ?? total);
  const why = !compared
    ? words.noBridge.none
    : !compared.isComplete
      ? words.noBridge.incomplete(figure(compared.known, "count"), figure(compared.of, "count"))
      : undefined;
  if (why !== undefined) {
    return (
      <Card name="changes" title={title} query={query} answer={answer} span={6}>
        {() => <EmptySmall>{why}</EmptySmall>}
      </Card>
    );
  }
  return (
    <Card
      name="changes"
      title={title}
      question={compared ? words.comparedWith(range(compared.from, compared.to)) : ""}
      query={query}
      answer={answer}
      span={6}
      table={(statement) => <Parts title={title} parts={partsOf(statement)} change={changeOf(statement)} />}
    >
      {(statement) => (
        <>
          <p class="sentence">{sentenceOf(total, changeOf(statement), partsOf(statement))}</p>
          <Waterfall
            label={title}
            unit="currency"
            isJudged={!hasLacks(statement)}
            steps={[
              {
                key: `previousPeriod.${total}`,
                label: words.bridgeBefore,
                value: statement.previousPeriod?.[total] ?? null,
                isTotal: true,
              },
              ...partsOf(statement).map(({ line, value }) => ({
                key: `changes.${line}.amount`,
                label: t().metric[line] ?? line,
                value,
              })),
              {
                key: `statement.${total}.amount`,
                label: words.bridgeAfter,
                value: statement.statement[total].amount,
                isTotal: true,
              },
            ]}
            onPick={({ key }) => openExplanation({ endpoint: query.path, params: query.params, figure: key })}
          />
          {bridge && <OfCustomers bridge={bridge} />}
          {bridge && <ProductMargin margin={bridge.productMargin} />}
        </>
      )}
    </Card>
  );
}

export const changedTotalOf = (statement: Statement | undefined): Line =>
  (statement && changedTotal(statement)) ?? "contribution3";

export const changeOf = (statement: Statement): number => statement.changes?.[changedTotalOf(statement)].amount ?? 0;

/** The lines that changed, up to the total. */
export const partsOf = (statement: Statement): readonly Part[] =>
  linesTo(statement, changedTotalOf(statement)).flatMap((line) => {
    const value = statement.changes?.[line].amount ?? 0;
    return isTotal(line) || value === 0 ? [] : [{ line, value }];
  });

/** The change and its largest parts: first those in its direction, then those against it. */
export function sentenceOf(total: Line, change: number, parts: readonly Part[]): string {
  const words = t().cockpit;
  const name = t().metric[total] ?? total;
  if (change === 0 || parts.length === 0) return words.moves.same(name);
  const largest = parts.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value)).slice(0, NAMED);
  const said = (some: readonly Part[]): string =>
    listed(some.map(({ line, value }) => words.effect(nameOf(line), signed(value, "currency"))));
  const along = largest.filter(({ value }) => value > 0 === change > 0);
  const against = largest.filter(({ value }) => value > 0 !== change > 0);
  const effects = [said(along), against.length > 0 ? words.butUp(said(against)) : ""].filter(Boolean).join(", ");
  const amount = hero(Math.abs(change), "currency");
  return change > 0 ? words.moves.rose(name, amount, effects) : words.moves.fell(name, amount, effects);
}

/** Within a sentence. */
const nameOf = (line: Line): string => (t().metric[line] ?? line).toLocaleLowerCase();

const listed = (texts: readonly string[]): string =>
  new Intl.ListFormat(lang.value === "pt" ? "pt-BR" : "en", { type: "conjunction" }).format(texts);

type Effects = Readonly<Record<string, number>>;

/** What new and returning customers did to revenue [D53]. */
function OfCustomers({ bridge }: { bridge: Bridge }) {
  const words = t().cockpit.customers;
  const { effects, before, after, change } = bridge.revenue;
  return <OfEffects name="revenue" words={words} effects={effects} {...{ before, after, change }} />;
}

/** What the products' own prices and costs did [D53]. */
function ProductMargin({ margin: { before, after, change, effects } }: { margin: Bridge["productMargin"] }) {
  const words = t().cockpit.productMargin;
  return <OfEffects name="productMargin" words={words} effects={effects} {...{ before, after, change }} />;
}

interface EffectsProps {
  readonly name: string;
  readonly words: {
    readonly title: string;
    readonly change: (before: string, after: string, change: string) => string;
    readonly effects: Readonly<Record<string, string>>;
  };
  readonly effects: Effects;
  readonly before: number;
  readonly after: number;
  readonly change: number;
}

/** Effects that add up to a change of their own, and not to a line of the statement. */
function OfEffects({ name, words, effects, before, after, change }: EffectsProps) {
  if (before === 0 && after === 0) return null;
  const amounts = Object.entries(effects).filter(([effect, value]) => value !== 0 && effect in words.effects);
  return (
    <div class="product-margin" data-part={name}>
      <h3>{words.title}</h3>
      <p class="muted">
        {words.change(figure(before, "currency"), figure(after, "currency"), signed(change, "currency"))}
      </p>
      <dl class="effects">
        {amounts.map(([effect, value]) => (
          <div key={effect} data-effect={effect}>
            <dt>{words.effects[effect]}</dt>
            <dd class={value > 0 ? "good" : "bad"} data-exact={figure(value, "currency")}>
              {signed(value, "currency")}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Parts({ title, parts, change }: { title: string; parts: readonly Part[]; change: number }) {
  const words = t().cockpit;
  const rows = parts.map(({ line, value }) => ({ name: t().metric[line] ?? line, value }));
  return (
    <Table
      caption={title}
      rows={rows}
      keyOf={({ name }) => name}
      columns={[
        { key: "name", label: words.name, value: ({ name }) => name },
        {
          key: "value",
          label: words.change,
          unit: "currency",
          bar: true,
          value: ({ value }) => value,
          tone: ({ value }) => (value > 0 ? "good" : "bad"),
        },
      ]}
      total={{ row: { name: "", value: change } }}
    />
  );
}
