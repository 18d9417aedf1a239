// How rules class campaigns: the first that fits decides.

export const CLASSES = ["acquisition", "brand", "monetization"] as const;
export type Class = (typeof CLASSES)[number];

export type Rule = { readonly strategy: Class } & ({ readonly id: string } | { readonly name: string });

export interface Campaign {
  readonly campaignId: string | null;
  readonly campaignName: string | null;
  readonly connector: string;
  readonly spend: number;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly strategy: Class | null;
  /** The place of the rule that decides. */
  readonly rule: number | null;
}

/** Without case, accents and more than one space: names are compared so [D12]. */
export const normalized = (text: string): string =>
  text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase().replaceAll(/\s+/g, " ").trim();

/** Whether a name has a pattern, in which `*` is any text. */
export function fits(pattern: string, name: string): boolean {
  const parts = normalized(pattern)
    .split("*")
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s").test(normalized(name));
}

export const nameOf = ({ campaignName, campaignId }: Campaign): string => campaignName ?? campaignId ?? "";

const holds = (rule: Rule, campaign: Campaign): boolean =>
  "id" in rule ? rule.id === campaign.campaignId : fits(rule.name, campaign.campaignName ?? "");

/** The place of the rule that decides on a campaign; -1 for none. */
export const decidingRule = (rules: readonly Rule[], campaign: Campaign): number =>
  rules.findIndex((rule) => holds(rule, campaign));

/** The rules with another class of a campaign: that of its own rule, or of a new one before the rule that decides now. */
export function classed(rules: readonly Rule[], campaign: Campaign, next: Rule): readonly Rule[] {
  const at = decidingRule(rules, campaign);
  const deciding = rules[at];
  if (deciding && "id" in deciding) return rules.with(at, next);
  return at < 0 ? [...rules, next] : rules.toSpliced(at, 0, next);
}

/** A text of the campaign's name that its like have, and that campaigns of other classes have not: the part that most share. */
export function sharedText(campaign: Campaign, all: readonly Campaign[], rules: readonly Rule[]): string {
  const parts = nameOf(campaign)
    .split(/[\s|_\-–[\](){}:/.,+]+/)
    .filter((part) => part.length >= 3 && !/^\d+$/.test(part));
  const classOf = (one: Campaign): Class | undefined => rules[decidingRule(rules, one)]?.strategy;
  const others = all.filter((one) => one !== campaign);
  const has = (part: string): readonly Campaign[] => others.filter((one) => fits(`*${part}*`, nameOf(one)));
  const free = parts.filter((part) => has(part).every((one) => classOf(one) === undefined));
  return (free.toSorted((a, b) => has(b).length - has(a).length)[0] ?? parts[0] ?? nameOf(campaign)).replaceAll(
    "*",
    "",
  );
}
