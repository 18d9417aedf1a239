import { counted } from "../../../../../src/features/actions/words.ts";
import { dataOf, useAnswer } from "../../../answer.ts";
import type { Statement, UnknownGoods } from "../../../answers.ts";
import { EmptySmall } from "../../../components/EmptySmall.tsx";
import { figure, hero, range } from "../../../format.ts";
import { settingsAt } from "../../../route.ts";
import { organization, STORES } from "../../../session.ts";
import { said } from "../../../text.ts";
import { costs as COSTS } from "../../../words/later/costs.ts";
import { typedNumber } from "../exact.ts";
import { Part } from "../fields.tsx";
import { emptyForm, type Form } from "./form.ts";
import type { Cost, CostItem } from "./rules.ts";

interface Props {
  readonly fill: (form: Form) => void;
  readonly none: (item: CostItem) => void;
  /** What is to be saved: an item that it has is not asked for again. */
  readonly costs: readonly Cost[];
}

type Missing = Statement["missing"][number];

/** The year up to the last day with data. */
function yearOf(): { readonly startDate: string; readonly endDate: string } | undefined {
  const { firstDay, lastDay } = organization.value ?? {};
  if (!firstDay || !lastDay) return undefined;
  const start = new Date(`${lastDay}T00:00:00Z`);
  start.setUTCFullYear(start.getUTCFullYear() - 1);
  start.setUTCDate(start.getUTCDate() + 1);
  const year = start.toISOString().slice(0, 10);
  return { startDate: year < firstDay ? firstDay : year, endDate: lastDay };
}

/** What is not known of the costs of the last year, what most money depends on first, each with the way to fill it. */
export function Unknown({ fill, none, costs }: Props) {
  const days = yearOf();
  const answer = useAnswer<Statement>(days && { path: "/v1/profit/statement", params: { ...days, compare: "none" } });
  const statement = dataOf(answer);
  const missing = (statement?.missing ?? [])
    .filter(({ item }) => item === "goods" || !costs.some((cost) => cost.item === item && !cost.from && !cost.where))
    .toSorted((a, b) => (b.revenue ?? -1) - (a.revenue ?? -1) || a.item.localeCompare(b.item));
  const words = said(COSTS);
  if (!days) return null;
  const shown = range(days.startDate, days.endDate);
  if (answer.state === "waiting" && !statement)
    return (
      <Part name="unknown" title={words.unknownTitle}>
        <p class="skeleton skeleton-small" />
      </Part>
    );
  if (answer.state === "failed" || !statement)
    return (
      <Part name="unknown" title={words.unknownTitle}>
        <EmptySmall>{words.notAnswered}</EmptySmall>
      </Part>
    );
  if (missing.length === 0)
    return (
      <Part name="unknown" title={words.unknownTitle}>
        <EmptySmall>{words.nothingUnknown(shown)}</EmptySmall>
      </Part>
    );
  return (
    <Part name="unknown" title={words.unknownTitle} lead={words.unknownLead(shown)}>
      <ul class="setting-rows">
        {missing.map((one) => (
          <li key={one.item} data-unknown={one.item}>
            <div>
              <strong>{words.items[one.item]}</strong>
              <p class="muted">{aboutOf(one)}</p>
              {one.item === "goods" && <Estimate days={days} fill={fill} />}
            </div>
            <div class="setting-tools">
              {one.item === "goods" && <a href={settingsAt("files")}>{words.sendCosts}</a>}
              <button type="button" onClick={() => fill(emptyForm(one.item))}>
                {words.say}
              </button>
              {one.item !== "goods" && (
                <button type="button" class="quiet" onClick={() => none(one.item)}>
                  {words.noSuch}
                </button>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function aboutOf({ item, orders, revenue, units, products }: Missing): string {
  const words = said(COSTS);
  const money = hero(revenue ?? 0, "currency");
  const count = (n: number | null, one: string, many: string): string => counted(figure(n ?? 0, "count"), one, many);
  if (item === "fixed") return words.unknownFixed;
  if (item === "goods")
    return words.unknownGoods(
      count(units, words.unit, words.units),
      count(products, words.product, words.products),
      money,
    );
  return words.unknownOrders(count(orders, words.order, words.orders), money);
}

/** The rule that would give the goods without a cost that of the others: an estimate, and called so. */
function Estimate({ days, fill }: Pick<Props, "fill"> & { readonly days: { startDate: string; endDate: string } }) {
  const goods = dataOf(useAnswer<UnknownGoods>({ path: "/v1/profit/unknown-goods", params: days }));
  const stores = (organization.value?.connectors ?? []).filter(({ connector }) => STORES.includes(connector)).length;
  const words = said(COSTS);
  return (
    <>
      {(goods?.data ?? []).map(({ integrationId, percentOfItems, from }) => {
        if (percentOfItems === null) return null;
        const percent = figure(percentOfItems, "percent");
        const form: Form = {
          ...emptyForm("goods"),
          name: words.estimate,
          amounts: { percentOfItems: typedNumber(percentOfItems) },
          hasFrom: true,
          from,
          where: stores > 1 ? { integrationId } : {},
        };
        return (
          <p key={integrationId}>
            <button type="button" class="link" onClick={() => fill(form)}>
              {words.useEstimate(percent)}
            </button>{" "}
            <small class="muted">{words.estimateWhy(percent)}</small>
          </p>
        );
      })}
    </>
  );
}
