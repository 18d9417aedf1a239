import { dataOf, useAnswer } from "../../answer.ts";
import type { UnknownGoods as Answered, Statement } from "../../answers.ts";
import type { Query } from "../../api.ts";
import { ToSettings } from "../../components/ToSettings.tsx";
import { figure, hero } from "../../format.ts";
import { isAdmin } from "../../session.ts";
import { estimatedResult } from "../../statement.ts";
import { t } from "../../text.ts";

interface Props {
  readonly statement: Statement;
  /** The statement's own request. */
  readonly of: Query;
}

/** What would be left if the goods without a cost cost as much as the others: an estimate, until somebody says what they cost. */
export function UnknownGoods({ statement, of }: Props) {
  const { startDate, endDate } = of.params;
  const answer = useAnswer<Answered>({ path: "/v1/profit/unknown-goods", params: { startDate, endDate } });
  const goods = dataOf(answer);
  const words = t().cockpit.goods;
  const missing = statement.missing.find(({ item }) => item === "goods");
  const estimate = goods && estimatedResult(statement, goods);
  const [first] = goods?.data ?? [];
  return (
    <div class="product-margin" data-part="unknownGoods" aria-busy={answer.state === "waiting"}>
      <p>
        {words.missing(
          figure(missing?.units ?? 0, "count"),
          figure(missing?.products ?? 0, "count"),
          hero(missing?.revenue ?? 0, "currency"),
        )}
      </p>
      {goods && (estimate === null || !first) && <p class="muted">{words.without}</p>}
      <p>
        <ToSettings place="costs" field="unknown" /> {isAdmin.value && <ToSettings place="files" />}
      </p>
      {goods && first && estimate !== null && estimate !== undefined && (
        <>
          <p>
            {words.estimate(figure(first.percentOfItems, "percent"))}{" "}
            <strong data-estimate={figure(estimate, "currency")}>
              {hero(estimate, "currency")} {words.estimated}
            </strong>
          </p>
          <p class="muted">{words.rule}</p>
        </>
      )}
    </div>
  );
}
