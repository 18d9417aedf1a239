import { dataOf, shownWith, useAnswer } from "../../answer.ts";
import type { Query } from "../../api.ts";
import { Bar, Select } from "../../components/Controls.tsx";
import { Segmented } from "../../components/Segmented.tsx";
import { arg, oneOf, set } from "../../route.ts";
import { useCompared, useCompareParam, usePeriod } from "../../stores.ts";
import { said, t } from "../../text.ts";
import { breakdown as WORDS } from "../../words/later/breakdown.ts";
import { Bars } from "./Bars.tsx";
import { ATTRIBUTES, type Attribute, attributesIn } from "./chosen.ts";
import { Listed } from "./Listed.tsx";
import { Orders } from "./Orders.tsx";
import { type Breakdown as Answered, comparedTo, FIGURES, type Name } from "./rows.ts";

export const PATH = "/v1/profitability/breakdown";
/** Rows of a page. Hours, weekdays and most attributes have fewer. */
const LIMIT = 500;

/** A period by what its orders carry [D89], and these orders. */
export function Breakdown() {
  const words = said(WORDS);
  const tab = oneOf("tab", ["summary", "orders"]);
  return (
    <div class="page breakdown">
      <Bar label={words.controls}>
        <Segmented
          label={words.controls}
          options={[
            ["summary", words.tabs.summary],
            ["orders", words.tabs.orders],
          ]}
          value={tab}
          change={(next) => set({ tab: next === "summary" ? "" : next, page: "" })}
        />
        {tab === "summary" && <Choice />}
      </Bar>
      {tab === "summary" ? <Summary /> : <Orders />}
    </div>
  );
}

/** One attribute or two, and the figure of the bars. */
function Choice() {
  const words = said(WORDS);
  const [first, second] = attributesIn(arg("of"));
  const name = oneOf<Name>("figure", FIGURES);
  const option = (one: Attribute) => [one, words.attributes[one]] as const;
  const choose = (...chosen: readonly string[]): void => set({ of: chosen.filter(Boolean).join(","), page: "" });
  return (
    <>
      <Select
        label={words.by}
        options={ATTRIBUTES.map(option)}
        value={first}
        change={(next) => choose(next, second === next ? "" : (second ?? ""))}
      />
      <Select<Attribute | "">
        label={words.andBy}
        options={[["", words.nothingElse], ...ATTRIBUTES.filter((one) => one !== first).map(option)]}
        value={second ?? ""}
        change={(next) => choose(first, next)}
      />
      <Select
        label={words.figure}
        options={FIGURES.map((one) => [one, t().metric[one] ?? one] as const)}
        value={name}
        change={(next) => set({ figure: next === FIGURES[0] ? "" : next })}
      />
    </>
  );
}

function Summary() {
  const { from, to } = usePeriod();
  const compared = useCompared();
  const by: readonly Attribute[] = attributesIn(arg("of"));
  const page = { page: Math.max(1, Math.trunc(Number(arg("page"))) || 1), limit: LIMIT };
  const asking = (startDate?: string, endDate?: string, compare?: string): Query => ({
    path: PATH,
    params: { startDate, endDate, by: by.join(","), compare, ...page },
  });
  const query = asking(from, to, useCompareParam());
  const isOwn = compared?.kind === "own";
  const answer = useAnswer<Answered>(query);
  const then = useAnswer<Answered>(isOwn ? asking(compared.from, compared.to, "none") : undefined);
  const other = dataOf(then);
  const isCompared = compared?.isComplete === true;
  const props = {
    by,
    name: oneOf<Name>("figure", FIGURES),
    query,
    answer: isOwn ? shownWith(answer, then) : answer,
    withThen: (data: Answered) => (isOwn && other ? comparedTo(data, other) : data),
    compared,
    isCompared,
  };
  return (
    <>
      <Bars {...props} />
      <Listed {...props} />
    </>
  );
}
