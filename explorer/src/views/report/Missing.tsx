import { adviceOn, NO_TARGETS } from "../../../../src/features/actions/advice.ts";
import { type Answer, dataOf } from "../../answer.ts";
import type { Cards, Contributions, Statement } from "../../answers.ts";
import { figure } from "../../format.ts";
import { organization } from "../../session.ts";
import { yesterday } from "../../stores.ts";
import { t } from "../../text.ts";
import { textOf } from "../overview/adviceText.ts";
import { missingCosts, report } from "./reportText.ts";

interface Props {
  readonly statement: Statement;
  readonly cards: Answer<Cards>;
  readonly campaigns: Answer<Contributions>;
  readonly hasFailed: boolean;
}

/** What is not known of these figures: whoever reads them cannot ask. */
export function Missing({ statement, cards, campaigns, hasFailed }: Props) {
  const results = dataOf(campaigns);
  const advice = adviceOn({
    cards: dataOf(cards),
    statement,
    results: results && { rows: results.data, investment: results.total.investment },
    connectors: organization.value?.connectors ?? [],
    targets: NO_TARGETS,
    yesterday: yesterday(),
  });
  const goods = statement.missing.find(({ item }) => item === "goods");
  const texts = [
    ...(goods ? [t().advice.goods(figure(goods.units, "count"), figure(goods.revenue, "currency"))] : []),
    ...missingCosts(statement),
    // Costs are above, all of them and not only the large ones.
    ...advice.filter(({ is, name }) => is === "gap" && name !== "goods" && name !== "costs").map(textOf),
  ];
  const isKnown = !hasFailed && cards.state === "ready" && campaigns.state === "ready";
  return (
    <section class="report-part" data-part="missing">
      <h3>{report().missing.title}</h3>
      {texts.length > 0 && (
        <ul class="report-list">
          {texts.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {hasFailed && <p>{report().missing.notAllKnown}</p>}
      {texts.length === 0 && isKnown && <p>{report().missing.nothing}</p>}
    </section>
  );
}
