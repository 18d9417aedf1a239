/** The kinds of findings, which `docs/doctor.md` explains. */
export const FINDING_KINDS = [
  "storage",
  "settingsRefused",
  "unconfiguredFolders",
  "misplacedFolders",
  "missingLake",
  "damagedLake",
  "damagedDerived",
  "unreadable",
  "outdated",
  "underived",
  "foreignDerived",
  "unknownRecordFolders",
  "linkedFolders",
  "lastSync",
  "waitingFiles",
  "revokedFiles",
  "rejectedRows",
  "unknownColumns",
  "incompleteDownloads",
  "silentIntegrations",
  "staleIntegrations",
  "emptyIntegrations",
  "oldData",
  "storesInUtc",
  "uncountedOrders",
  "unknownStatuses",
  "anonymousOrders",
  "aliasedEmails",
  "campaignsTwice",
  "unclassifiedCampaigns",
  "unmatchedCampaigns",
  "foreignCurrencies",
  "itemsWithoutCost",
  "categoryLoops",
  "integrity",
  "pullSecrets",
  "pullRefused",
  "pullExpiring",
  "pullIncomplete",
  "pullOverdue",
  "webhook",
  "futureCredentials",
  "noCredentials",
] as const;

export type FindingKind = (typeof FINDING_KINDS)[number];

/** Findings about the machine, its operator and other organizations; integrity is in the reconciliation. */
const OF_THE_OPERATOR: readonly FindingKind[] = [
  "storage",
  "settingsRefused",
  "damagedLake",
  "damagedDerived",
  "unreadable",
  "foreignDerived",
  "integrity",
  "pullSecrets",
  "pullRefused",
  "pullExpiring",
  "pullIncomplete",
  "pullOverdue",
  "webhook",
  "futureCredentials",
  "noCredentials",
];

/** Those about the data of an organization. */
export const QUALITY_KINDS: readonly FindingKind[] = FINDING_KINDS.filter((kind) => !OF_THE_OPERATOR.includes(kind));

/** The SQL files of the findings in derived files, in the order of the report. */
export const QUALITY_SQL = [
  "doctor/uncounted_orders",
  "doctor/unknown_statuses",
  "doctor/anonymous_orders",
  "doctor/aliased_orders",
  "doctor/campaigns_twice",
  "doctor/unclassified_campaigns",
  "doctor/unmatched_campaigns",
  "doctor/currencies",
  "doctor/items_without_cost",
  "doctor/category_loops",
] as const;
