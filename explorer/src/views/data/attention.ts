import type { Advice } from "../../../../src/features/actions/advice.ts";

interface Finding {
  readonly kind: string;
  readonly level: "wrong" | "notice";
  readonly revenue: number | null;
  readonly spend: number | null;
}

/** Something that deserves attention: a finding over all data, what the period's figures lack by it, or only the latter. */
export interface Attention<F extends Finding> {
  readonly finding?: F;
  readonly gaps: readonly Advice[];
}

/** The finding that is about the same thing as an advice. */
const SAME: Readonly<Partial<Record<Advice["name"], string>>> = {
  stale: "oldData",
  unclassified: "unclassifiedCampaigns",
  unclassifiable: "unclassifiedCampaigns",
  unmatched: "unmatchedCampaigns",
  goods: "itemsWithoutCost",
  costs: "unknownCosts",
};

/** Without these no figure of the period is complete, whatever its amount. */
const OF_ALL_FIGURES: readonly Advice["name"][] = ["goods", "margin", "stale", "media"];

/** Both lists in one, each thing once: first what makes figures wrong, then what concerns all figures, then by money. */
export function attentionTo<F extends Finding>(
  findings: readonly F[],
  advice: readonly Advice[],
): readonly Attention<F>[] {
  const gaps = advice.filter((one) => one.is === "gap");
  const isFound = (one: Advice): boolean => findings.some(({ kind }) => kind === SAME[one.name]);
  const all: readonly Attention<F>[] = [
    ...findings.map((finding) => ({ finding, gaps: gaps.filter(({ name }) => SAME[name] === finding.kind) })),
    ...gaps.filter((one) => !isFound(one)).map((one) => ({ gaps: [one] })),
  ];
  return all.toSorted((a, b) => rankOf(a) - rankOf(b) || moneyOf(b) - moneyOf(a));
}

function rankOf<F extends Finding>(one: Attention<F>): number {
  if (one.finding?.level === "wrong" || one.gaps.some(({ name }) => name === "goods" || name === "margin")) return 0;
  if (moneyOf(one) > 0) return 2;
  return one.finding || one.gaps.some(({ name }) => OF_ALL_FIGURES.includes(name)) ? 1 : 3;
}

/** The money that it is about. */
function moneyOf<F extends Finding>({ finding, gaps }: Attention<F>): number {
  const amounts = gaps.map((one) => ("amount" in one ? one.amount : 0));
  return Math.max(finding?.revenue ?? 0, finding?.spend ?? 0, ...amounts);
}
