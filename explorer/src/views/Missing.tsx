import type { Cards } from "../answers.ts";
import { figure, share } from "../format.ts";
import { t } from "../text.ts";

const DAY_MS = 86_400_000;

/** Lists missing data and its effect on the figures, the worst first. */
function faults(cards: Cards): string[] {
  const words = t().missing;
  const { items } = t().overview;
  const { revenue, revenueWithoutCmv, investment, unclassifiedInvestment, marginItemStatus, asOf } = cards;
  const pending = Object.entries(marginItemStatus ?? {})
    .filter(([, status]) => status === "pending")
    .map(([name]) => items[name as keyof typeof items]);
  const silent = asOf === null ? 0 : Math.floor((Date.now() - Date.parse(asOf)) / DAY_MS);
  return [
    cards.marginConfigured ? "" : words.margin,
    revenueWithoutCmv > 0 && cards.marginBasis !== "no_basis"
      ? words.cost(share(revenueWithoutCmv / revenue), figure(revenueWithoutCmv, "currency"))
      : "",
    pending.length > 0 ? words.pending(pending.join(", ")) : "",
    investment > 0 ? "" : words.media,
    investment > 0 && !cards.hasAcquisitionClassification ? words.classification : "",
    unclassifiedInvestment > 0
      ? words.unclassified(share(unclassifiedInvestment / investment), figure(unclassifiedInvestment, "currency"))
      : "",
    investment > 0 && cards.payback === null ? words.payback : "",
    cards.conversionRate === null ? words.funnel : "",
    silent >= 1 ? words.stale(figure(silent, "days")) : "",
  ].filter((text) => text !== "");
}

export function Missing({ cards }: { cards: Cards }) {
  const all = faults(cards);
  if (all.length === 0) return <p class="all-well">{t().overview.nothingMissing}</p>;
  return (
    <ul class="faults">
      {all.map((fault) => (
        <li key={fault}>{fault}</li>
      ))}
    </ul>
  );
}
