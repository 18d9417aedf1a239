import { dataOf, useAnswer } from "../../answer.ts";
import type { Answers } from "../../answerTypes.ts";
import type { Query } from "../../api.ts";
import { explainer } from "../../explain.ts";
import { figure } from "../../format.ts";
import { said, t } from "../../text.ts";
import { pace as PACE } from "../../words/later/pace.ts";

const QUERY: Query = { path: "/v1/profit/pace", params: {} };

/** How far the current month is on the way to its targets. Without an answer it says nothing. */
export function Pace() {
  const words = said(PACE);
  const answer = dataOf(useAnswer<Answers["ProfitPace"]>(QUERY));
  if (!answer || answer.data.length === 0) return null;
  return (
    <section class="pace" aria-label={words.title}>
      <h3 class="unseen">{words.title}</h3>
      {answer.data.map(({ figure: name, target, toDate, expected, errorPct }) => {
        const label = t().metric[name] ?? name;
        const share = expected === null ? null : (100 * expected) / target;
        const text =
          expected === null
            ? words.unknown(label, figure(toDate, "currency"), figure(target, "currency"))
            : words.line(label, figure(expected, "currency"), figure(share, "percent"), figure(target, "currency"));
        return (
          <p key={name} class="note" data-pace={name}>
            <button
              type="button"
              class="link"
              title={words.explain(label)}
              onClick={explainer(QUERY, expected === null ? "toDate" : "expected", name)}
            >
              {text}
            </button>
            {errorPct !== null && ` ${words.error(figure(errorPct, "percent"))}`}
          </p>
        );
      })}
    </section>
  );
}
