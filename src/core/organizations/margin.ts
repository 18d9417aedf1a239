/** Describes the figures without a margin in the settings [D16], for operators. */
export const NO_MARGIN =
  'no "margin" in the settings: contribution, profit, LTV and ROI are computed with 100 % of the revenue, as if nothing had costs';
