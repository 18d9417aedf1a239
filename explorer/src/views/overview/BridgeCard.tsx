import type { Answer } from "../../answer.ts";
import type { Bridge } from "../../answers.ts";
import type { Query } from "../../api.ts";
import { Waterfall } from "../../charts/Waterfall.tsx";
import { Card } from "../../components/Card.tsx";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { Table } from "../../components/Table.tsx";
import { openExplanation } from "../../explain.ts";
import { figure, hero, range, signed } from "../../format.ts";
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
  return (
    <Card
      name="bridge"
      title={words.bridge}
      question={compared ? words.comparedWith(range(compared.from, compared.to)) : ""}
      query={query}
      answer={answer}
      span={6}
      table={(bridge) => <Effects bridge={bridge} />}
    >
      {({ contributionProfit }) => {
        const { before, after, change, effects } = contributionProfit;
        const parts = EFFECTS.map((name) => ({ name, value: effects[name] })).filter(({ value }) => value !== 0);
        const explain = (path: string): void =>
          openExplanation({ endpoint: query.path, params: query.params, figure: `contributionProfit.${path}` });
        return (
          <>
            <p class="sentence">{sentenceOf(change, parts)}</p>
            <Waterfall
              label={words.bridge}
              unit="currency"
              steps={[
                { key: "before", label: words.bridgeBefore, value: before, isTotal: true },
                ...parts.map(({ name, value }) => ({ key: `effects.${name}`, label: words.bridgeSteps[name], value })),
                { key: "after", label: words.bridgeAfter, value: after, isTotal: true },
              ]}
              onPick={({ key }) => explain(key)}
            />
          </>
        );
      }}
    </Card>
  );
}

/** The change and its largest effects: first those in its direction, then those against it. */
export function sentenceOf(change: number, parts: readonly Part[]): string {
  const words = t().cockpit;
  if (change === 0 || parts.length === 0) return words.same;
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
  return change > 0 ? words.rose(amount, effects) : words.fell(amount, effects);
}

const listed = (texts: readonly string[]): string =>
  new Intl.ListFormat(lang.value === "pt" ? "pt-BR" : "en", { type: "conjunction" }).format(texts);

function Effects({ bridge }: { bridge: Bridge }) {
  const words = t().cockpit;
  const { effects, change } = bridge.contributionProfit;
  const rows = EFFECTS.map((name) => ({ name: words.bridgeSteps[name], value: effects[name] }));
  return (
    <Table
      caption={words.bridge}
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
      total={{ row: { name: "", value: change } }}
    />
  );
}
