import { expect } from "chai";
import { attentionTo } from "../../explorer/src/views/data/attention.ts";
import type { Advice } from "../../src/features/actions/advice.ts";

const finding = (kind: string, revenue: number | null = null, spend: number | null = null) =>
  ({ kind, level: "notice", revenue, spend }) as const;
const wrong = (kind: string) => ({ ...finding(kind), level: "wrong" }) as const;
const unclassified: Advice = { name: "unclassified", is: "gap", view: "acquisition", amount: 40, share: 0.3 };
const unmatched: Advice = { name: "unmatched", is: "gap", view: "acquisition", labels: ["feira"] };
const stale: Advice = { name: "stale", is: "gap", view: "data", sources: [{ name: "Loja", days: 4 }] };
const margin: Advice = { name: "margin", is: "gap", view: "data" };
const funnel: Advice = { name: "funnel", is: "gap", view: "data" };
const losing: Advice = { name: "losing", is: "fire", view: "acquisition", campaigns: [], stake: 900 };

/** Each entry as the finding and the gaps that it shows. */
const listed = (...given: Parameters<typeof attentionTo>): string[] =>
  attentionTo(...given).map(({ finding: one, gaps }) => [one?.kind ?? "", ...gaps.map(({ name }) => name)].join(" "));

describe("What deserves attention", () => {
  it("says each thing once: what a period lacks is part of the finding about the same thing", () => {
    const findings = [finding("oldData"), finding("unclassifiedCampaigns", 0, 40), finding("unmatchedCampaigns", 110)];
    expect(listed(findings, [stale, unclassified, unmatched])).to.deep.equal([
      "oldData stale",
      "unmatchedCampaigns unmatched",
      "unclassifiedCampaigns unclassified",
    ]);
  });

  it("includes what only the period lacks, and nothing that is urgent", () => {
    expect(listed([], [losing, stale, unclassified, funnel])).to.deep.equal([" stale", " unclassified", " funnel"]);
    expect(listed([], [])).to.deep.equal([]);
  });

  it("is in the order of its effect: what is wrong, what concerns all figures, then by money", () => {
    const findings = [
      finding("anonymousOrders", 120),
      finding("uncountedOrders", 3500),
      finding("storesInUtc"),
      wrong("missingLake"),
    ];
    expect(listed(findings, [funnel, unclassified, margin])).to.deep.equal([
      "missingLake",
      " margin",
      "storesInUtc",
      "uncountedOrders",
      "anonymousOrders",
      " unclassified",
      " funnel",
    ]);
  });
});
