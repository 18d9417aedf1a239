import { type Answer, dataOf } from "../../answer.ts";
import type { Bridge } from "../../answers.ts";
import type { Query } from "../../api.ts";
import { Waterfall } from "../../charts/Waterfall.tsx";
import { Card } from "../../components/Card.tsx";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { Table } from "../../components/Table.tsx";
import { openExplanation } from "../../explain.ts";
import { figure, hero, range, signed } from "../../format.ts";
import { lacksMargin } from "../../margin.ts";
import type { Compared } from "../../period.ts";
import { lang, t } from "../../text.ts";

interface Props {
  readonly query: Query;
  readonly answer: Answer<Bridge>;
  readonly compared: Compared | undefined;
}

const EFFECTS = [
  "newCustomers",
  "newFrequency",
  "newTicket",
  "recurringCustomers",
  "recurringFrequency",
  "recurringTicket",
  "other",
  "investment",
] as const;
type Effect = (typeof EFFECTS)[number];

interface Part {
  readonly name: Effect;
  readonly value: number;
}

/** How many effects the sentence names. */
const NAMED = 3;

/** Why contribution profit differs from that of the period compared with. */
export function BridgeCard({ query, answer, compared }: Props) {
  const words = t().cockpit;
  const why = !compared
    ? words.noBridge.none
    : !compared.isComplete
      ? words.noBridge.incomplete(figure(compared.known, "count"), figure(compared.of, "count"))
      : undefined;
  if (why !== undefined) {
    return (
      <Card name="bridge" title={words.bridge} query={query} answer={answer} span={6}>
        {() => <EmptySmall>{why}</EmptySmall>}
      </Card>
    );
  }
  // Without a margin there is no profit to explain; the revenue has effects of its own.
  const of = lacksMargin(dataOf(answer)) ? "revenue" : "contributionProfit";
  const title = of === "revenue" ? words.revenueBridge : words.bridge;
  return (
    <Card
      name="bridge"
      title={title}
      question={compared ? words.comparedWith(range(compared.from, compared.to)) : ""}
      query={query}
      answer={answer}
      span={6}
      table={(bridge) => <Effects title={title} bridge={bridge[of]} />}
    >
      {(bridge) => {
        const { before, after, change } = bridge[of];
        const parts = partsOf(bridge[of]).filter(({ value }) => value !== 0);
        const explain = (path: string): void =>
          openExplanation({ endpoint: query.path, params: query.params, figure: `${of}.${path}` });
        return (
          <>
            <p class="sentence">{sentenceOf(of, change, parts)}</p>
            <Waterfall
              label={title}
              unit="currency"
              steps={[
                { key: "before", label: words.bridgeBefore, value: before, isTotal: true },
                ...parts.map(({ name, value }) => ({ key: `effects.${name}`, label: words.bridgeSteps[name], value })),
                { key: "after", label: words.bridgeAfter, value: after, isTotal: true },
              ]}
              onPick={({ key }) => explain(key)}
            />
            <ProductMargin margin={bridge.productMargin} />
          </>
        );
      }}
    </Card>
  );
}

type Changed = Bridge["revenue"] | Bridge["contributionProfit"];

const partsOf = ({ effects }: Changed): readonly Part[] =>
  EFFECTS.flatMap((name) => (name in effects ? [{ name, value: effects[name as keyof typeof effects] }] : []));

/** What the products' own prices and costs did: the profit above has one margin for all days, and cannot see them. */
function ProductMargin({ margin: { before, after, change, effects } }: { margin: Bridge["productMargin"] }) {
  const words = t().cockpit.productMargin;
  if (before === 0 && after === 0) return null;
  const amounts = Object.keys(words.effects) as (keyof typeof effects & keyof typeof words.effects)[];
  return (
    <div class="product-margin" data-part="productMargin">
      <h3>{words.title}</h3>
      <p class="muted">
        {words.change(figure(before, "currency"), figure(after, "currency"), signed(change, "currency"))}
      </p>
      <dl class="effects">
        {amounts.map((name) => (
          <div key={name} data-effect={name}>
            <dt>{words.effects[name]}</dt>
            <dd
              class={effects[name] > 0 ? "good" : effects[name] < 0 ? "bad" : ""}
              data-exact={figure(effects[name], "currency")}
            >
              {signed(effects[name], "currency")}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The change and its largest effects: first those in its direction, then those against it. */
export function sentenceOf(of: "revenue" | "contributionProfit", change: number, parts: readonly Part[]): string {
  const words = t().cockpit;
  const verbs = words.moves[of];
  if (change === 0 || parts.length === 0) return verbs.same;
  const largest = parts.toSorted((a, b) => Math.abs(b.value) - Math.abs(a.value)).slice(0, NAMED);
  const said = (some: readonly Part[]): string =>
    listed(
      some.map(({ name, value }) =>
        words.effect(words.effects[name][value > 0 ? "up" : "down"], signed(value, "currency")),
      ),
    );
  const along = largest.filter(({ value }) => value > 0 === change > 0);
  const against = largest.filter(({ value }) => value > 0 !== change > 0);
  const effects = [said(along), against.length > 0 ? words.butUp(said(against)) : ""].filter(Boolean).join(", ");
  const amount = hero(Math.abs(change), "currency");
  return change > 0 ? verbs.rose(amount, effects) : verbs.fell(amount, effects);
}

const listed = (texts: readonly string[]): string =>
  new Intl.ListFormat(lang.value === "pt" ? "pt-BR" : "en", { type: "conjunction" }).format(texts);

function Effects({ title, bridge }: { title: string; bridge: Changed }) {
  const words = t().cockpit;
  const rows = partsOf(bridge).map(({ name, value }) => ({ name: words.bridgeSteps[name], value }));
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
          tone: ({ value }) => (value > 0 ? "good" : value < 0 ? "bad" : undefined),
        },
      ]}
      total={{ row: { name: "", value: bridge.change } }}
    />
  );
}
