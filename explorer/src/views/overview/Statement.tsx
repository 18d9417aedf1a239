import type { MarginItem } from "../../advice.ts";
import type { Answer } from "../../answer.ts";
import type { Cards } from "../../answers.ts";
import type { Query } from "../../api.ts";
import { type Step, Waterfall } from "../../charts/Waterfall.tsx";
import { Card } from "../../components/Card.tsx";
import { Target } from "../../components/Figure.tsx";
import { Table } from "../../components/Table.tsx";
import { openExplanation } from "../../explain.ts";
import { figure, hero, whole } from "../../format.ts";
import { t } from "../../text.ts";
import { realMarginOf } from "./real.ts";

interface Props {
  readonly query: Query;
  readonly answer: Answer<Cards>;
  readonly target: number | null;
}

const ITEMS = ["costOfGoods", "shipping", "tax", "gateway"] as const satisfies readonly MarginItem[];
const MEDIA = ["acquisition", "brand", "monetization", "unclassified"] as const;

/** The way from revenue to contribution profit: what the margin takes, item by item, and media. */
export function Statement({ query, answer, target }: Props) {
  const words = t().cockpit;
  return (
    <Card
      name="statement"
      title={words.statement}
      query={query}
      answer={answer}
      span={6}
      table={(cards) => <Lines steps={stepsOf(cards)} />}
    >
      {(cards) => (
        <>
          {cards.marginConfigured ? (
            <p class="sentence" data-metric="marginPercent">
              <span data-exact={figure(cards.marginPercent, "percent")}>
                {words.statementSentence(
                  whole(100),
                  whole(cards.marginPercent),
                  hero(cards.contributionProfit, "currency"),
                )}
              </span>
            </p>
          ) : (
            <p class="sentence">{t().withoutMargin}</p>
          )}
          {target !== null && cards.marginConfigured && (
            <div class="statement-target">
              <Target value={cards.marginPercent} target={target} unit="percent" isLess={false} />
            </div>
          )}
          {hasWay(cards) && (
            <Waterfall
              label={words.statement}
              unit="currency"
              steps={stepsOf(cards)}
              onPick={({ key }) => openExplanation({ endpoint: query.path, params: query.params, figure: key })}
            />
          )}
        </>
      )}
    </Card>
  );
}

/** Whether anything is between revenue and what remains of it. */
const hasWay = (cards: Cards): boolean =>
  cards.marginConfigured ? cards.revenue !== cards.contributionProfit : cards.revenueWithCmv !== 0;

/** Without a margin only the revenue with a cost of its own has a result, before ads and other costs. */
function realSteps(cards: Cards): readonly Step[] {
  const words = t().cockpit;
  const { revenueWithCmv, cogs } = cards;
  return [
    { key: "revenueWithCmv", label: t().metric.revenueWithCmv ?? "", value: revenueWithCmv, isTotal: true },
    { key: "cogs", label: t().metric.cogs ?? "", value: -cogs },
    { key: "blendedContribution", label: words.realCost, value: realMarginOf(cards), isTotal: true },
  ];
}

/** The keys are the figures of the cards. Amounts are subtracted; a pending item has no amount. */
export function stepsOf(cards: Cards): readonly Step[] {
  if (!cards.marginConfigured) return realSteps(cards);
  const words = t().cockpit;
  const { variableCosts: costs, marginItemStatus: statuses, revenue, contribution, investment } = cards;
  const items: Step[] = ITEMS.map((name) => {
    const status = statuses?.[name] ?? "pending";
    const isPending = status === "pending";
    return {
      key: `variableCosts.${name}`,
      label: isPending ? words.pendingItem(words.items[name]) : words.items[name],
      value: isPending ? null : -(costs?.[name] ?? 0),
      note: words.statuses[status],
    };
  });
  const rest: Step[] =
    revenue === contribution
      ? []
      : [
          {
            key: "marginPercent",
            label: words.variableCosts,
            value: -round(revenue - contribution),
            note: words.noItems(figure(cards.marginPercent, "percent")),
          },
        ];
  const classes: Step[] = MEDIA.map((name) => ({ name, spent: cards[`${name}Investment`] }))
    .filter(({ spent }) => spent > 0)
    .map(({ name, spent }) => ({ key: `${name}Investment`, label: words.media[name], value: -spent }));
  // The classes are rounded one by one; one line of all media adds up in any case.
  const addUp = Math.abs(classes.reduce((sum, { value }) => sum + (value ?? 0), 0) + investment) < 0.005;
  const media = addUp ? classes : [{ key: "investment", label: words.allMedia, value: -investment }];
  return [
    { key: "revenue", label: words.revenue, value: revenue, isTotal: true },
    ...(costs ? items : rest),
    ...(investment > 0
      ? [{ key: "contribution", label: words.contribution, value: contribution, isTotal: true }, ...media]
      : []),
    { key: "contributionProfit", label: words.profit, value: cards.contributionProfit, isTotal: true },
  ];
}

const round = (amount: number): number => Math.round(amount * 100) / 100;

function Lines({ steps }: { steps: readonly Step[] }) {
  const words = t().cockpit;
  return (
    <Table
      caption={words.statement}
      rows={steps}
      keyOf={({ label }) => label}
      columns={[
        { key: "label", label: words.name, value: ({ label }) => label },
        {
          key: "value",
          label: words.change,
          unit: "currency",
          value: ({ value }) => value,
          reason: ({ note }) => note,
        },
      ]}
    />
  );
}
