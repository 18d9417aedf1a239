/** What people know a connector by: the vendor. */
export const VENDORS: Readonly<Record<string, string>> = {
  storea: "VTEX",
  storeb: "Shopify",
  socialads: "Meta Ads",
  searchads: "Google Ads",
  webanalytics: "Google Analytics 4",
  crm: "HubSpot",
};
