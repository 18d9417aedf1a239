/** The channels of orders [D15]. */
export const CHANNELS = [
  "searchads",
  "socialads",
  "organic_search",
  "organic_social",
  "email",
  "affiliate",
  "referral",
  "direct",
  "other",
  // The export cannot carry a source.
  "unknown",
] as const;
