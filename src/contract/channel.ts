/** The channels an order may have come through [D15]. */
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
] as const;
