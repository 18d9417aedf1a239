// Made from docs/openapi.json by `npm run documents`.

export interface Answers {
  readonly DataQuality: {
    readonly examinedAt: string;
    readonly currency: string | null;
    readonly orders: number | null;
    readonly revenue: number | null;
    readonly firstDay: string | null;
    readonly lastDay: string | null;
    readonly integrations: {
      readonly integrationId: string;
      readonly name: string;
      readonly connector: "socialads" | "searchads" | "webanalytics" | "crm" | "storea" | "storeb" | "finance";
      readonly schedule: string | null;
      readonly lastLandedAt: string | null;
      readonly lastSync: {
        readonly endedAt: string;
        readonly outcome: "ok" | "rejected" | "refused" | "failed";
        readonly reason: string | null;
      } | null;
      readonly records: {
        readonly record: string;
        readonly lastLandedAt: string | null;
        readonly newestDay: string | null;
        readonly files: number;
        readonly waiting: number;
        readonly rows: number | null;
        readonly rejected: number;
      }[];
    }[];
    readonly rejects: {
      readonly integrationId: string;
      readonly record: string;
      readonly reason: string;
      readonly rows: number;
      readonly file: string;
      readonly position: number | null;
    }[];
    readonly findings: {
      kind:
        | "unconfiguredFolders"
        | "misplacedFolders"
        | "missingLake"
        | "outdated"
        | "underived"
        | "unknownRecordFolders"
        | "linkedFolders"
        | "lastSync"
        | "waitingFiles"
        | "revokedFiles"
        | "rejectedRows"
        | "unknownColumns"
        | "olderExports"
        | "incompleteDownloads"
        | "silentIntegrations"
        | "staleIntegrations"
        | "emptyIntegrations"
        | "oldData"
        | "storesInUtc"
        | "uncountedOrders"
        | "unknownStatuses"
        | "unknownPayments"
        | "anonymousOrders"
        | "aliasedEmails"
        | "ordersWithoutLines"
        | "campaignsTwice"
        | "unclassifiedCampaigns"
        | "unmatchedCampaigns"
        | "hiddenSpend"
        | "foreignCurrencies"
        | "itemsWithoutCost"
        | "refundsAboveRevenue"
        | "refundsWithoutAmount"
        | "unknownCosts"
        | "unusedCostRules"
        | "costsWithoutEffect"
        | "oldProductCosts"
        | "categoryLoops";
      readonly level: "wrong" | "notice";
      readonly title: string;
      readonly count: number;
      readonly orders: number | null;
      readonly revenue: number | null;
      readonly spend: number | null;
      readonly examples: {
        readonly integration: string | null;
        readonly what: string | null;
        readonly reason: string | null;
        readonly count: number | null;
        readonly revenue: number | null;
        readonly spend: number | null;
      }[];
    }[];
  };
  readonly Pins: {
    readonly data: {
      readonly name: string;
      readonly knownAt: string;
      readonly knownState: string;
      readonly createdAt: string;
      readonly createdBy: "command" | "monthly" | "page";
    }[];
  };
  readonly Sql: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly columns: {
      readonly name: string;
      readonly type: string;
    }[];
    readonly rows: unknown[][];
    readonly rowCount: number;
    readonly truncated: boolean;
  };
  readonly ProfitabilityCards: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly period: {
      readonly startDate: string | null;
      readonly endDate: string | null;
    };
    readonly asOf: string | null;
    readonly coverage: {
      readonly stores: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
      readonly accounts: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
    };
    readonly marginPercent: number;
    readonly marginConfigured: boolean;
    readonly marginCompleteness: "complete" | "partial" | "none";
    readonly marginItemStatus: {
      readonly gateway: "synced" | "configured" | "pending";
      readonly tax: "synced" | "configured" | "pending";
      readonly shipping: "synced" | "configured" | "pending";
      readonly costOfGoods: "synced" | "configured" | "pending";
    } | null;
    readonly filters?: {
      readonly integrationId: string | null;
      channel:
        | "searchads"
        | "socialads"
        | "organic_search"
        | "organic_social"
        | "email"
        | "affiliate"
        | "referral"
        | "direct"
        | "other"
        | "unknown"
        | null;
    };
    readonly revenue: number;
    readonly investment: number | null;
    readonly orders: number;
    readonly newCustomers: number;
    readonly recurringCustomers: number;
    readonly customers: number;
    readonly recurringOrders: number;
    readonly averageTicket: number;
    readonly contribution: number;
    readonly contributionProfit: number | null;
    readonly cpv: number | null;
    readonly cpr: number | null;
    readonly cac: number | null;
    readonly ltv: number | null;
    readonly ltvLifetime: number | null;
    readonly retentionLtv: number | null;
    readonly ltvCacRatio: number | null;
    readonly roi: number | null;
    readonly clv: number | null;
    readonly payback: number | null;
    readonly conversionRate: number | null;
    readonly campaignCac: number | null;
    readonly acquisitionInvestment: number | null;
    readonly acquisitionNewCustomers: number;
    readonly acquisitionCac: number | null;
    readonly acquisitionContribution: number;
    readonly acquisitionLtv: number | null;
    readonly acquisitionLtvCacRatio: number | null;
    readonly acquisitionRoi: number | null;
    readonly brandInvestment: number | null;
    readonly brandImpressions: number | null;
    readonly brandNewCustomers: number;
    readonly brandContribution: number;
    readonly brandRoi: number | null;
    readonly monetizationInvestment: number | null;
    readonly monetizationContribution: number;
    readonly monetizationRoi: number | null;
    readonly monetizationRecurringCustomers: number;
    readonly monetizationCpr: number | null;
    readonly unclassifiedInvestment: number | null;
    readonly hasAcquisitionClassification: boolean;
    readonly cogs: number;
    readonly revenueWithCmv: number;
    readonly revenueWithoutCmv: number;
    readonly marginBasis: "cmv_real" | "mixed" | "configured_percent" | "no_basis";
    readonly blendedContribution: number;
    readonly variableCosts?: {
      readonly gateway: number;
      readonly tax: number;
      readonly shipping: number;
      readonly costOfGoods: number;
    } | null;
    readonly previousPeriod: {
      readonly period: {
        readonly startDate: string;
        readonly endDate: string;
      };
      readonly revenue: number;
      readonly investment: number | null;
      readonly orders: number;
      readonly newCustomers: number;
      readonly recurringCustomers: number;
      readonly customers: number;
      readonly recurringOrders: number;
      readonly averageTicket: number;
      readonly contribution: number;
      readonly contributionProfit: number | null;
      readonly cpv: number | null;
      readonly cpr: number | null;
      readonly cac: number | null;
      readonly ltv: number | null;
      readonly ltvLifetime: number | null;
      readonly retentionLtv: number | null;
      readonly ltvCacRatio: number | null;
      readonly roi: number | null;
      readonly clv: number | null;
      readonly payback: number | null;
      readonly conversionRate: number | null;
      readonly campaignCac: number | null;
      readonly acquisitionInvestment: number | null;
      readonly acquisitionNewCustomers: number;
      readonly acquisitionCac: number | null;
      readonly acquisitionContribution: number;
      readonly acquisitionLtv: number | null;
      readonly acquisitionLtvCacRatio: number | null;
      readonly acquisitionRoi: number | null;
      readonly brandInvestment: number | null;
      readonly brandImpressions: number | null;
      readonly brandNewCustomers: number;
      readonly brandContribution: number;
      readonly brandRoi: number | null;
      readonly monetizationInvestment: number | null;
      readonly monetizationContribution: number;
      readonly monetizationRoi: number | null;
      readonly monetizationRecurringCustomers: number;
      readonly monetizationCpr: number | null;
      readonly unclassifiedInvestment: number | null;
      readonly hasAcquisitionClassification: boolean;
      readonly cogs: number;
      readonly revenueWithCmv: number;
      readonly revenueWithoutCmv: number;
      readonly marginBasis: "cmv_real" | "mixed" | "configured_percent" | "no_basis";
      readonly blendedContribution: number;
    } | null;
    readonly changes: {
      readonly revenue: number | null;
      readonly investment: number | null;
      readonly orders: number | null;
      readonly newCustomers: number | null;
      readonly recurringCustomers: number | null;
      readonly customers: number | null;
      readonly recurringOrders: number | null;
      readonly averageTicket: number | null;
      readonly contribution: number | null;
      readonly contributionProfit: number | null;
      readonly cpv: number | null;
      readonly cpr: number | null;
      readonly cac: number | null;
      readonly ltv: number | null;
      readonly ltvLifetime: number | null;
      readonly retentionLtv: number | null;
      readonly ltvCacRatio: number | null;
      readonly roi: number | null;
      readonly clv: number | null;
      readonly payback: number | null;
      readonly conversionRate: number | null;
      readonly campaignCac: number | null;
      readonly acquisitionInvestment: number | null;
      readonly acquisitionNewCustomers: number | null;
      readonly acquisitionCac: number | null;
      readonly acquisitionContribution: number | null;
      readonly acquisitionLtv: number | null;
      readonly acquisitionLtvCacRatio: number | null;
      readonly acquisitionRoi: number | null;
      readonly brandInvestment: number | null;
      readonly brandImpressions: number | null;
      readonly brandNewCustomers: number | null;
      readonly brandContribution: number | null;
      readonly brandRoi: number | null;
      readonly monetizationInvestment: number | null;
      readonly monetizationContribution: number | null;
      readonly monetizationRoi: number | null;
      readonly monetizationRecurringCustomers: number | null;
      readonly monetizationCpr: number | null;
      readonly unclassifiedInvestment: number | null;
      readonly cogs: number | null;
      readonly revenueWithCmv: number | null;
      readonly revenueWithoutCmv: number | null;
      readonly blendedContribution: number | null;
      readonly margin: number;
    } | null;
  };
  readonly ProfitabilityNewVsRecurring: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly period: {
      readonly startDate: string | null;
      readonly endDate: string | null;
    };
    readonly asOf: string | null;
    readonly coverage: {
      readonly stores: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
      readonly accounts: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
    };
    readonly granularity: "day" | "month";
    readonly filters?: {
      readonly integrationId: string | null;
      channel:
        | "searchads"
        | "socialads"
        | "organic_search"
        | "organic_social"
        | "email"
        | "affiliate"
        | "referral"
        | "direct"
        | "other"
        | "unknown"
        | null;
    };
    readonly data: {
      readonly date: string;
      readonly newCustomers: number;
      readonly recurringCustomers: number;
      readonly customers: number;
    }[];
  };
  readonly ProfitabilityMetricsEvolution: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly period: {
      readonly startDate: string | null;
      readonly endDate: string | null;
    };
    readonly asOf: string | null;
    readonly coverage: {
      readonly stores: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
      readonly accounts: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
    };
    readonly marginPercent: number;
    readonly marginConfigured: boolean;
    readonly marginCompleteness: "complete" | "partial" | "none";
    readonly marginItemStatus: {
      readonly gateway: "synced" | "configured" | "pending";
      readonly tax: "synced" | "configured" | "pending";
      readonly shipping: "synced" | "configured" | "pending";
      readonly costOfGoods: "synced" | "configured" | "pending";
    } | null;
    readonly filters?: {
      readonly integrationId: string | null;
      channel:
        | "searchads"
        | "socialads"
        | "organic_search"
        | "organic_social"
        | "email"
        | "affiliate"
        | "referral"
        | "direct"
        | "other"
        | "unknown"
        | null;
    };
    readonly data: {
      readonly month: string;
      readonly totalRevenue: number;
      readonly totalOrders: number;
      readonly totalInvestment: number | null;
      readonly newCustomers: number;
      readonly cac: number | null;
      readonly ltv: number | null;
      readonly cpv: number | null;
      readonly ltvCacRatio: number | null;
      readonly cogs: number;
      readonly revenueWithCmv: number;
      readonly revenueWithoutCmv: number;
      readonly marginBasis: "cmv_real" | "mixed" | "configured_percent" | "no_basis";
      readonly blendedContribution: number;
    }[];
  };
  readonly ProfitabilityCmvEvolution: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly period: {
      readonly startDate: string | null;
      readonly endDate: string | null;
    };
    readonly asOf: string | null;
    readonly coverage: {
      readonly stores: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
      readonly accounts: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
    };
    readonly marginPercent: number;
    readonly marginConfigured: boolean;
    readonly marginCompleteness: "complete" | "partial" | "none";
    readonly marginItemStatus: {
      readonly gateway: "synced" | "configured" | "pending";
      readonly tax: "synced" | "configured" | "pending";
      readonly shipping: "synced" | "configured" | "pending";
      readonly costOfGoods: "synced" | "configured" | "pending";
    } | null;
    readonly filters?: {
      readonly integrationId: string | null;
      channel:
        | "searchads"
        | "socialads"
        | "organic_search"
        | "organic_social"
        | "email"
        | "affiliate"
        | "referral"
        | "direct"
        | "other"
        | "unknown"
        | null;
    };
    readonly data: {
      readonly date: string;
      readonly revenue: number;
      readonly orders: number;
      readonly averageTicket: number;
      readonly cogs: number;
      readonly revenueWithCmv: number;
      readonly revenueWithoutCmv: number;
      readonly marginBasis: "cmv_real" | "mixed" | "configured_percent" | "no_basis";
      readonly blendedContribution: number;
    }[];
  };
  readonly ProfitabilityTrend: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly period: {
      readonly startDate: string | null;
      readonly endDate: string | null;
    };
    readonly asOf: string | null;
    readonly coverage: {
      readonly stores: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
      readonly accounts: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
    };
    readonly marginPercent: number;
    readonly marginConfigured: boolean;
    readonly marginCompleteness: "complete" | "partial" | "none";
    readonly marginItemStatus: {
      readonly gateway: "synced" | "configured" | "pending";
      readonly tax: "synced" | "configured" | "pending";
      readonly shipping: "synced" | "configured" | "pending";
      readonly costOfGoods: "synced" | "configured" | "pending";
    } | null;
    readonly filters?: {
      readonly integrationId: string | null;
      channel:
        | "searchads"
        | "socialads"
        | "organic_search"
        | "organic_social"
        | "email"
        | "affiliate"
        | "referral"
        | "direct"
        | "other"
        | "unknown"
        | null;
    };
    readonly granularity: "day" | "week" | "month";
    readonly data: {
      readonly date: string;
      readonly revenue: number;
      readonly investment: number | null;
      readonly orders: number;
      readonly newCustomers: number;
      readonly averageTicket: number;
      readonly contribution: number;
      readonly contributionProfit: number | null;
      readonly cac: number | null;
      readonly ltv: number | null;
      readonly ltvCacRatio: number | null;
      readonly roi: number | null;
    }[];
  };
  readonly ProfitabilityCohort: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly period: {
      readonly startDate: string | null;
      readonly endDate: string | null;
    };
    readonly asOf: string | null;
    readonly coverage: {
      readonly stores: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
      readonly accounts: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
    };
    readonly marginPercent: number;
    readonly marginConfigured: boolean;
    readonly marginCompleteness: "complete" | "partial" | "none";
    readonly marginItemStatus: {
      readonly gateway: "synced" | "configured" | "pending";
      readonly tax: "synced" | "configured" | "pending";
      readonly shipping: "synced" | "configured" | "pending";
      readonly costOfGoods: "synced" | "configured" | "pending";
    } | null;
    readonly filters?: {
      readonly integrationId: string | null;
      channel:
        | "searchads"
        | "socialads"
        | "organic_search"
        | "organic_social"
        | "email"
        | "affiliate"
        | "referral"
        | "direct"
        | "other"
        | "unknown"
        | null;
    };
    readonly view: "revenue" | "logo";
    readonly groupBy: "month" | "quarter" | "year" | "week";
    readonly breakBy: string | null;
    readonly rowsLeftOut?: number;
    readonly data: {
      readonly cohortMonth: string;
      /**
       * @minItems 2
       * @maxItems 2
       */
      readonly breakKey?: string | [string | null, string | null] | null;
      /**
       * @minItems 2
       * @maxItems 2
       */
      readonly breakLabel?: string | [string | null, string | null] | null;
      readonly initialValue: number;
      readonly acquisitionInvestment: number | null;
      readonly roi: number | null;
      readonly firstPurchaseCustomers: number;
      readonly repurchaseCustomers: number;
      readonly repurchasePct: number;
      readonly directRevenue: number;
      readonly directMargin: number;
      readonly totalRevenue: number;
      readonly totalMargin: number;
      readonly additionalRevenue: number;
      readonly additionalMargin: number;
      readonly investment?: number | null;
      readonly cac?: number | null;
      readonly ltv?: number;
      readonly payback?: number | null;
      readonly months: {
        [k: string]: {
          readonly pct: number | null;
          readonly absolute: number;
          readonly complementary: number;
          readonly repurchaseRevenue: number | null;
        };
      };
    }[];
  };
  readonly ProfitabilityOrders: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly period: {
      readonly startDate: string | null;
      readonly endDate: string | null;
    };
    readonly asOf: string | null;
    readonly coverage: {
      readonly stores: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
      readonly accounts: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
    };
    readonly marginPercent: number;
    readonly marginConfigured: boolean;
    readonly marginCompleteness: "complete" | "partial" | "none";
    readonly marginItemStatus: {
      readonly gateway: "synced" | "configured" | "pending";
      readonly tax: "synced" | "configured" | "pending";
      readonly shipping: "synced" | "configured" | "pending";
      readonly costOfGoods: "synced" | "configured" | "pending";
    } | null;
    readonly filters?: {
      readonly integrationId: string | null;
      channel:
        | "searchads"
        | "socialads"
        | "organic_search"
        | "organic_social"
        | "email"
        | "affiliate"
        | "referral"
        | "direct"
        | "other"
        | "unknown"
        | null;
    };
    readonly data: {
      readonly orderId: string;
      readonly integrationId: string;
      readonly connector: "storea" | "storeb";
      readonly orderedOn: string;
      readonly orderedAt: string;
      readonly revenue: number;
      readonly cost: number | null;
      readonly blendedContribution: number;
      readonly customer: "new" | "recurring" | "anonymous" | null;
      readonly customerOrderNo: number | null;
      readonly customerId: string | null;
      channel:
        | "searchads"
        | "socialads"
        | "organic_search"
        | "organic_social"
        | "email"
        | "affiliate"
        | "referral"
        | "direct"
        | "other"
        | "unknown";
      readonly channelLabel: string;
      readonly campaignId: string | null;
      readonly campaignName: string | null;
      readonly strategy: "acquisition" | "brand" | "monetization" | null;
      readonly coupon: string | null;
      readonly uncountedReason: "cancelled" | "replaced" | "test" | "unpaid" | null;
      readonly paymentGroup: "pix" | "boleto" | "credit_card" | "debit_card" | "wallet" | "gift_card" | "other" | null;
      readonly installments: number | null;
      readonly state: string | null;
      readonly city: string | null;
      readonly country: string | null;
      readonly discount: number | null;
      readonly shippingCharged: number | null;
      readonly taxCharged: number | null;
      readonly status: string | null;
      readonly salesChannel: string | null;
      readonly items: number | null;
      readonly hour: number;
      readonly weekday: number;
    }[];
    readonly meta: {
      readonly page: number;
      readonly limit: number;
      readonly hasNextPage: boolean;
      readonly hasPreviousPage: boolean;
    };
  };
  readonly ProfitabilityPayback: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly period: {
      readonly startDate: string | null;
      readonly endDate: string | null;
    };
    readonly asOf: string | null;
    readonly coverage: {
      readonly stores: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
      readonly accounts: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
    };
    readonly marginPercent: number;
    readonly marginConfigured: boolean;
    readonly marginCompleteness: "complete" | "partial" | "none";
    readonly marginItemStatus: {
      readonly gateway: "synced" | "configured" | "pending";
      readonly tax: "synced" | "configured" | "pending";
      readonly shipping: "synced" | "configured" | "pending";
      readonly costOfGoods: "synced" | "configured" | "pending";
    } | null;
    readonly filters?: {
      readonly integrationId: string | null;
      channel:
        | "searchads"
        | "socialads"
        | "organic_search"
        | "organic_social"
        | "email"
        | "affiliate"
        | "referral"
        | "direct"
        | "other"
        | "unknown"
        | null;
    };
    readonly breakBy: string | null;
    readonly rowsLeftOut?: number;
    readonly data: {
      readonly cohortMonth: string;
      /**
       * @minItems 2
       * @maxItems 2
       */
      readonly breakKey?: string | [string | null, string | null] | null;
      /**
       * @minItems 2
       * @maxItems 2
       */
      readonly breakLabel?: string | [string | null, string | null] | null;
      readonly customers: number;
      readonly investment: number | null;
      readonly cac: number | null;
      readonly state: "paid_back" | "not_yet" | "no_spend" | null;
      readonly paybackMonths: number | null;
      readonly points: {
        readonly month: number;
        readonly complete: boolean;
        readonly contribution: number;
        readonly perCustomer: number;
        readonly lower: number | null;
        readonly upper: number | null;
        readonly paidBackPct: number | null;
      }[];
    }[];
    average:
      | {
          readonly month: number;
          readonly customers: number;
          readonly perCustomer: number;
          readonly lower: number | null;
          readonly upper: number | null;
        }[]
      | null;
  };
  readonly ProfitabilityBreakdown: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly period: {
      readonly startDate: string | null;
      readonly endDate: string | null;
    };
    readonly asOf: string | null;
    readonly coverage: {
      readonly stores: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
      readonly accounts: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
    };
    readonly filters?: {
      readonly integrationId: string | null;
      channel:
        | "searchads"
        | "socialads"
        | "organic_search"
        | "organic_social"
        | "email"
        | "affiliate"
        | "referral"
        | "direct"
        | "other"
        | "unknown"
        | null;
    };
    readonly by: string[];
    readonly comparedWith: {
      readonly startDate: string;
      readonly endDate: string;
    } | null;
    readonly data: {
      /**
       * @minItems 2
       * @maxItems 2
       */
      readonly key: string | [string | null, string | null] | null;
      /**
       * @minItems 2
       * @maxItems 2
       */
      readonly label: string | [string | null, string | null] | null;
      readonly revenue: number;
      readonly orders: number;
      readonly newCustomers: number;
      readonly recurringOrders: number;
      readonly averageTicket: number;
      readonly discount: number | null;
      readonly contribution2: number | null;
      readonly missing: ("salesTax" | "goods" | "payment" | "shipping" | "fulfilment" | "commission" | "other")[];
      readonly share: number | null;
      readonly previous: {
        readonly revenue: number;
        readonly orders: number;
        readonly newCustomers: number;
        readonly recurringOrders: number;
        readonly averageTicket: number;
        readonly discount: number | null;
        readonly contribution2: number | null;
        readonly share: number | null;
      } | null;
      readonly changes: {
        readonly revenue: number | null;
        readonly orders: number | null;
        readonly newCustomers: number | null;
        readonly recurringOrders: number | null;
        readonly averageTicket: number | null;
        readonly discount: number | null;
        readonly contribution2: number | null;
      } | null;
    }[];
    readonly total: {
      readonly revenue: number;
      readonly orders: number;
      readonly newCustomers: number;
      readonly recurringOrders: number;
      readonly averageTicket: number;
      readonly discount: number | null;
      readonly contribution2: number | null;
      readonly previous: {
        readonly revenue: number;
        readonly orders: number;
        readonly newCustomers: number;
        readonly recurringOrders: number;
        readonly averageTicket: number;
        readonly discount: number | null;
        readonly contribution2: number | null;
      } | null;
      readonly changes: {
        readonly revenue: number | null;
        readonly orders: number | null;
        readonly newCustomers: number | null;
        readonly recurringOrders: number | null;
        readonly averageTicket: number | null;
        readonly discount: number | null;
        readonly contribution2: number | null;
      } | null;
    };
    readonly missing: {
      readonly item: "salesTax" | "goods" | "payment" | "shipping" | "fulfilment" | "commission" | "other";
      readonly orders: number;
      readonly revenue: number;
      readonly units: number | null;
      readonly products: number | null;
    }[];
    readonly meta: {
      readonly page: number;
      readonly limit: number;
      readonly hasNextPage: boolean;
      readonly hasPreviousPage: boolean;
    };
  };
  readonly ProfitabilityBridge: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly period: {
      readonly startDate: string | null;
      readonly endDate: string | null;
    };
    readonly asOf: string | null;
    readonly coverage: {
      readonly stores: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
      readonly accounts: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
    };
    readonly marginPercent: number;
    readonly marginConfigured: boolean;
    readonly marginCompleteness: "complete" | "partial" | "none";
    readonly marginItemStatus: {
      readonly gateway: "synced" | "configured" | "pending";
      readonly tax: "synced" | "configured" | "pending";
      readonly shipping: "synced" | "configured" | "pending";
      readonly costOfGoods: "synced" | "configured" | "pending";
    } | null;
    readonly filters?: {
      readonly integrationId: string | null;
      channel:
        | "searchads"
        | "socialads"
        | "organic_search"
        | "organic_social"
        | "email"
        | "affiliate"
        | "referral"
        | "direct"
        | "other"
        | "unknown"
        | null;
    };
    readonly breakBy: "origem" | "campanha" | "produto" | "categoria" | null;
    readonly comparedWith: {
      readonly startDate: string;
      readonly endDate: string;
    };
    readonly revenue: {
      readonly before: number;
      readonly after: number;
      readonly change: number;
      readonly effects: {
        readonly newCustomers: number;
        readonly newFrequency: number;
        readonly newTicket: number;
        readonly recurringCustomers: number;
        readonly recurringFrequency: number;
        readonly recurringTicket: number;
        readonly other: number;
      };
    };
    readonly contributionProfit: {
      readonly before: number | null;
      readonly after: number | null;
      readonly change: number | null;
      readonly effects: {
        readonly newCustomers: number | null;
        readonly newFrequency: number | null;
        readonly newTicket: number | null;
        readonly recurringCustomers: number | null;
        readonly recurringFrequency: number | null;
        readonly recurringTicket: number | null;
        readonly other: number | null;
        readonly investment: number | null;
      };
    };
    readonly productMargin: {
      readonly before: number;
      readonly after: number;
      readonly change: number;
      readonly effects: {
        readonly volume: number;
        readonly mix: number;
        readonly price: number;
        readonly cost: number;
        readonly newProducts: number;
        readonly discontinuedProducts: number;
      };
    };
    drivers:
      | {
          readonly key: string | null;
          readonly label: string | null;
          readonly before: number;
          readonly after: number;
          readonly change: number;
        }[]
      | null;
  };
  readonly ProfitStatement: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly period: {
      readonly startDate: string | null;
      readonly endDate: string | null;
    };
    readonly asOf: string | null;
    readonly coverage: {
      readonly stores: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
      readonly accounts: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
    };
    readonly filters?: {
      readonly integrationId: string | null;
      channel:
        | "searchads"
        | "socialads"
        | "organic_search"
        | "organic_social"
        | "email"
        | "affiliate"
        | "referral"
        | "direct"
        | "other"
        | "unknown"
        | null;
    };
    readonly granularity: "day" | "week" | "month" | null;
    readonly integrationId: string | null;
    readonly refundsOn: "refund" | "order";
    readonly statement: {
      readonly revenue: {
        readonly amount: number;
        readonly share: number | null;
        readonly source: "orders" | "records" | "rules" | "mixed" | "none" | "pending" | null;
        readonly coverage: number | null;
        parts:
          | {
              readonly name: string;
              readonly source: "orders" | "records" | "rules";
              readonly amount: number;
            }[]
          | null;
      };
      readonly giftCards: {
        readonly amount: number;
        readonly share: number | null;
        readonly source: "orders" | "records" | "rules" | "mixed" | "none" | "pending" | null;
        readonly coverage: number | null;
        parts:
          | {
              readonly name: string;
              readonly source: "orders" | "records" | "rules";
              readonly amount: number;
            }[]
          | null;
      };
      readonly refunds: {
        readonly amount: number;
        readonly share: number | null;
        readonly source: "orders" | "records" | "rules" | "mixed" | "none" | "pending" | null;
        readonly coverage: number | null;
        parts:
          | {
              readonly name: string;
              readonly source: "orders" | "records" | "rules";
              readonly amount: number;
            }[]
          | null;
      };
      readonly salesTax: {
        readonly amount: number;
        readonly share: number | null;
        readonly source: "orders" | "records" | "rules" | "mixed" | "none" | "pending" | null;
        readonly coverage: number | null;
        parts:
          | {
              readonly name: string;
              readonly source: "orders" | "records" | "rules";
              readonly amount: number;
            }[]
          | null;
      };
      readonly netRevenue: {
        readonly amount: number;
        readonly share: number | null;
        readonly source: "orders" | "records" | "rules" | "mixed" | "none" | "pending" | null;
        readonly coverage: number | null;
        parts:
          | {
              readonly name: string;
              readonly source: "orders" | "records" | "rules";
              readonly amount: number;
            }[]
          | null;
      };
      readonly goods: {
        readonly amount: number | null;
        readonly share: number | null;
        readonly source: "orders" | "records" | "rules" | "mixed" | "none" | "pending" | null;
        readonly coverage: number | null;
        parts:
          | {
              readonly name: string;
              readonly source: "orders" | "records" | "rules";
              readonly amount: number;
            }[]
          | null;
      };
      readonly contribution1: {
        readonly amount: number | null;
        readonly share: number | null;
        readonly source: "orders" | "records" | "rules" | "mixed" | "none" | "pending" | null;
        readonly coverage: number | null;
        parts:
          | {
              readonly name: string;
              readonly source: "orders" | "records" | "rules";
              readonly amount: number;
            }[]
          | null;
      };
      readonly payment: {
        readonly amount: number;
        readonly share: number | null;
        readonly source: "orders" | "records" | "rules" | "mixed" | "none" | "pending" | null;
        readonly coverage: number | null;
        parts:
          | {
              readonly name: string;
              readonly source: "orders" | "records" | "rules";
              readonly amount: number;
            }[]
          | null;
      };
      readonly shipping: {
        readonly amount: number;
        readonly share: number | null;
        readonly source: "orders" | "records" | "rules" | "mixed" | "none" | "pending" | null;
        readonly coverage: number | null;
        parts:
          | {
              readonly name: string;
              readonly source: "orders" | "records" | "rules";
              readonly amount: number;
            }[]
          | null;
      };
      readonly fulfilment: {
        readonly amount: number;
        readonly share: number | null;
        readonly source: "orders" | "records" | "rules" | "mixed" | "none" | "pending" | null;
        readonly coverage: number | null;
        parts:
          | {
              readonly name: string;
              readonly source: "orders" | "records" | "rules";
              readonly amount: number;
            }[]
          | null;
      };
      readonly commission: {
        readonly amount: number;
        readonly share: number | null;
        readonly source: "orders" | "records" | "rules" | "mixed" | "none" | "pending" | null;
        readonly coverage: number | null;
        parts:
          | {
              readonly name: string;
              readonly source: "orders" | "records" | "rules";
              readonly amount: number;
            }[]
          | null;
      };
      readonly other: {
        readonly amount: number;
        readonly share: number | null;
        readonly source: "orders" | "records" | "rules" | "mixed" | "none" | "pending" | null;
        readonly coverage: number | null;
        parts:
          | {
              readonly name: string;
              readonly source: "orders" | "records" | "rules";
              readonly amount: number;
            }[]
          | null;
      };
      readonly contribution2: {
        readonly amount: number | null;
        readonly share: number | null;
        readonly source: "orders" | "records" | "rules" | "mixed" | "none" | "pending" | null;
        readonly coverage: number | null;
        parts:
          | {
              readonly name: string;
              readonly source: "orders" | "records" | "rules";
              readonly amount: number;
            }[]
          | null;
      };
      readonly media: {
        readonly amount: number | null;
        readonly share: number | null;
        readonly source: "orders" | "records" | "rules" | "mixed" | "none" | "pending" | null;
        readonly coverage: number | null;
        parts:
          | {
              readonly name: string;
              readonly source: "orders" | "records" | "rules";
              readonly amount: number;
            }[]
          | null;
      };
      readonly contribution3: {
        readonly amount: number | null;
        readonly share: number | null;
        readonly source: "orders" | "records" | "rules" | "mixed" | "none" | "pending" | null;
        readonly coverage: number | null;
        parts:
          | {
              readonly name: string;
              readonly source: "orders" | "records" | "rules";
              readonly amount: number;
            }[]
          | null;
      };
      readonly fixed: {
        readonly amount: number | null;
        readonly share: number | null;
        readonly source: "orders" | "records" | "rules" | "mixed" | "none" | "pending" | null;
        readonly coverage: number | null;
        parts:
          | {
              readonly name: string;
              readonly source: "orders" | "records" | "rules";
              readonly amount: number;
            }[]
          | null;
      };
      readonly profit: {
        readonly amount: number | null;
        readonly share: number | null;
        readonly source: "orders" | "records" | "rules" | "mixed" | "none" | "pending" | null;
        readonly coverage: number | null;
        parts:
          | {
              readonly name: string;
              readonly source: "orders" | "records" | "rules";
              readonly amount: number;
            }[]
          | null;
      };
    };
    readonly previousPeriod: {
      readonly period: {
        readonly startDate: string;
        readonly endDate: string;
      };
      readonly revenue: number;
      readonly giftCards: number;
      readonly refunds: number;
      readonly salesTax: number;
      readonly netRevenue: number;
      readonly goods: number | null;
      readonly contribution1: number | null;
      readonly payment: number;
      readonly shipping: number;
      readonly fulfilment: number;
      readonly commission: number;
      readonly other: number;
      readonly contribution2: number | null;
      readonly media: number | null;
      readonly contribution3: number | null;
      readonly fixed: number | null;
      readonly profit: number | null;
    } | null;
    readonly changes: {
      readonly revenue: {
        readonly amount: number | null;
        readonly pct: number | null;
      };
      readonly giftCards: {
        readonly amount: number | null;
        readonly pct: number | null;
      };
      readonly refunds: {
        readonly amount: number | null;
        readonly pct: number | null;
      };
      readonly salesTax: {
        readonly amount: number | null;
        readonly pct: number | null;
      };
      readonly netRevenue: {
        readonly amount: number | null;
        readonly pct: number | null;
      };
      readonly goods: {
        readonly amount: number | null;
        readonly pct: number | null;
      };
      readonly contribution1: {
        readonly amount: number | null;
        readonly pct: number | null;
      };
      readonly payment: {
        readonly amount: number | null;
        readonly pct: number | null;
      };
      readonly shipping: {
        readonly amount: number | null;
        readonly pct: number | null;
      };
      readonly fulfilment: {
        readonly amount: number | null;
        readonly pct: number | null;
      };
      readonly commission: {
        readonly amount: number | null;
        readonly pct: number | null;
      };
      readonly other: {
        readonly amount: number | null;
        readonly pct: number | null;
      };
      readonly contribution2: {
        readonly amount: number | null;
        readonly pct: number | null;
      };
      readonly media: {
        readonly amount: number | null;
        readonly pct: number | null;
      };
      readonly contribution3: {
        readonly amount: number | null;
        readonly pct: number | null;
      };
      readonly fixed: {
        readonly amount: number | null;
        readonly pct: number | null;
      };
      readonly profit: {
        readonly amount: number | null;
        readonly pct: number | null;
      };
    } | null;
    readonly missing: {
      readonly item: "salesTax" | "goods" | "payment" | "shipping" | "fulfilment" | "commission" | "other" | "fixed";
      readonly orders: number | null;
      readonly revenue: number | null;
      readonly units: number | null;
      readonly products: number | null;
    }[];
    data:
      | {
          readonly date: string;
          readonly revenue: number;
          readonly giftCards: number;
          readonly refunds: number;
          readonly salesTax: number;
          readonly netRevenue: number;
          readonly goods: number | null;
          readonly contribution1: number | null;
          readonly payment: number;
          readonly shipping: number;
          readonly fulfilment: number;
          readonly commission: number;
          readonly other: number;
          readonly contribution2: number | null;
          readonly media: number | null;
          readonly contribution3: number | null;
          readonly fixed: number | null;
          readonly profit: number | null;
        }[]
      | null;
  };
  readonly ProfitOrders: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly period: {
      readonly startDate: string | null;
      readonly endDate: string | null;
    };
    readonly asOf: string | null;
    readonly coverage: {
      readonly stores: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
      readonly accounts: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
    };
    readonly filters?: {
      readonly integrationId: string | null;
      channel:
        | "searchads"
        | "socialads"
        | "organic_search"
        | "organic_social"
        | "email"
        | "affiliate"
        | "referral"
        | "direct"
        | "other"
        | "unknown"
        | null;
    };
    readonly data: {
      readonly orderId: string;
      readonly integrationId: string;
      readonly connector: "storea" | "storeb";
      readonly orderedOn: string;
      readonly orderedAt: string;
      channel:
        | "searchads"
        | "socialads"
        | "organic_search"
        | "organic_social"
        | "email"
        | "affiliate"
        | "referral"
        | "direct"
        | "other"
        | "unknown";
      readonly channelLabel: string;
      readonly campaignId: string | null;
      readonly campaignName: string | null;
      readonly strategy: "acquisition" | "brand" | "monetization" | null;
      readonly revenue: number;
      readonly giftCards: number;
      readonly refunds: number;
      readonly salesTax: number;
      readonly netRevenue: number;
      readonly goods: number | null;
      readonly contribution1: number | null;
      readonly payment: number;
      readonly shipping: number;
      readonly fulfilment: number;
      readonly commission: number;
      readonly other: number;
      readonly contribution2: number | null;
      readonly unitsWithoutCost: number;
    }[];
    readonly meta: {
      readonly page: number;
      readonly limit: number;
      readonly hasNextPage: boolean;
      readonly hasPreviousPage: boolean;
    };
  };
  readonly ProfitUnknownGoods: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly period: {
      readonly startDate: string | null;
      readonly endDate: string | null;
    };
    readonly asOf: string | null;
    readonly coverage: {
      readonly stores: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
      readonly accounts: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
    };
    readonly filters?: {
      readonly integrationId: string | null;
      channel:
        | "searchads"
        | "socialads"
        | "organic_search"
        | "organic_social"
        | "email"
        | "affiliate"
        | "referral"
        | "direct"
        | "other"
        | "unknown"
        | null;
    };
    readonly data: {
      readonly integrationId: string;
      readonly from: string;
      readonly orders: number;
      readonly units: number;
      readonly revenue: number;
      readonly percentOfItems: number | null;
      readonly goods: number | null;
    }[];
  };
  readonly ProfitPace: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly period: {
      readonly startDate: string | null;
      readonly endDate: string | null;
    };
    readonly asOf: string | null;
    readonly coverage: {
      readonly stores: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
      readonly accounts: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
    };
    readonly data: {
      readonly figure: "revenue" | "contribution3" | "profit";
      readonly target: number;
      readonly toDate: number | null;
      readonly expected: number | null;
      readonly errorPct: number | null;
    }[];
  };
  readonly ProfitabilityForecast: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly period: {
      readonly startDate: string | null;
      readonly endDate: string | null;
    };
    readonly asOf: string | null;
    readonly coverage: {
      readonly stores: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
      readonly accounts: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
    };
    readonly marginPercent: number;
    readonly marginConfigured: boolean;
    readonly marginCompleteness: "complete" | "partial" | "none";
    readonly marginItemStatus: {
      readonly gateway: "synced" | "configured" | "pending";
      readonly tax: "synced" | "configured" | "pending";
      readonly shipping: "synced" | "configured" | "pending";
      readonly costOfGoods: "synced" | "configured" | "pending";
    } | null;
    readonly state: "ready" | "too_little";
    readonly confidence: "high" | "medium" | "low" | null;
    readonly model: {
      readonly r: number;
      readonly alpha: number;
      readonly a: number;
      readonly b: number;
      readonly logLikelihood: number;
      readonly p: number;
      readonly q: number;
      readonly gamma: number;
      readonly customers: number;
      readonly repeatCustomers: number;
    } | null;
    data:
      | {
          readonly cohortMonth: string;
          readonly customers: number;
          readonly revenueToDate: number;
          readonly ltvToDate: number;
          readonly weeks13: {
            readonly purchases: number;
            readonly revenue: number;
            readonly contribution: number;
          };
          readonly weeks26: {
            readonly purchases: number;
            readonly revenue: number;
            readonly contribution: number;
          };
          readonly weeks52: {
            readonly purchases: number;
            readonly revenue: number;
            readonly contribution: number;
          };
          readonly ltvPredicted: number;
        }[]
      | null;
    readonly total: {
      readonly customers: number;
      readonly revenueToDate: number;
      readonly ltvToDate: number;
      readonly weeks13: {
        readonly purchases: number;
        readonly revenue: number;
        readonly contribution: number;
      };
      readonly weeks26: {
        readonly purchases: number;
        readonly revenue: number;
        readonly contribution: number;
      };
      readonly weeks52: {
        readonly purchases: number;
        readonly revenue: number;
        readonly contribution: number;
      };
      readonly ltvPredicted: number;
    } | null;
    readonly holdOut: {
      readonly cutoff: string;
      readonly customers: number;
      readonly purchases: {
        readonly actual: number;
        readonly predicted: number;
        readonly errorPct: number | null;
      };
      readonly revenue: {
        readonly actual: number;
        readonly predicted: number;
        readonly errorPct: number | null;
      };
      readonly byFrequency: {
        readonly x: number;
        readonly customers: number;
        readonly actual: number;
        readonly predicted: number;
      }[];
    } | null;
  };
  readonly ProfitabilityReconciliation: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly period: {
      readonly startDate: string | null;
      readonly endDate: string | null;
    };
    readonly asOf: string | null;
    readonly coverage: {
      readonly stores: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
      readonly accounts: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
    };
    readonly stores: {
      readonly integrationId: string;
      readonly integrationName: string | null;
      readonly connector: "storea" | "storeb";
      readonly landedOrders: number;
      readonly landedValue: number;
      readonly uncounted: {
        readonly reason: "cancelled" | "replaced" | "test" | "unpaid";
        readonly orders: number;
        readonly value: number;
      }[];
      readonly orders: number;
      readonly revenue: number;
      readonly notInvoiced: number;
      readonly invoicedOutside: number;
      readonly invoicedInside: number;
      readonly shipping: number;
      readonly tax: number;
      readonly giftCards: number;
      readonly withoutProduct: number;
      readonly withoutSaleValue: number;
      readonly otherCharges: number;
      readonly grossSales: number;
      readonly returns: number;
      readonly netSales: number;
    }[];
    readonly accounts: {
      readonly connector: "socialads" | "searchads";
      readonly investment: number;
      readonly platformConversions: number | null;
      readonly platformValue: number | null;
      readonly orders: number;
      readonly revenue: number;
      readonly claimedToConfirmed: number | null;
    }[];
    readonly checks: {
      readonly name: string;
      readonly holds: boolean | null;
      readonly rows: number | null;
    }[];
  };
  readonly AcquisitionSummary: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly period: {
      readonly startDate: string | null;
      readonly endDate: string | null;
    };
    readonly previousPeriod: {
      readonly startDate: string;
      readonly endDate: string;
    } | null;
    readonly asOf: string | null;
    readonly coverage: {
      readonly stores: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
      readonly accounts: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
    };
    readonly marginPercent: number;
    readonly marginConfigured: boolean;
    readonly marginCompleteness: "complete" | "partial" | "none";
    readonly marginItemStatus: {
      readonly gateway: "synced" | "configured" | "pending";
      readonly tax: "synced" | "configured" | "pending";
      readonly shipping: "synced" | "configured" | "pending";
      readonly costOfGoods: "synced" | "configured" | "pending";
    } | null;
    readonly filters?: {
      readonly integrationId: string | null;
      channel:
        | "searchads"
        | "socialads"
        | "organic_search"
        | "organic_social"
        | "email"
        | "affiliate"
        | "referral"
        | "direct"
        | "other"
        | "unknown"
        | null;
    };
    readonly investment: {
      readonly value: number | null;
      readonly changePct: number | null;
    };
    readonly acquisitionInvestment: {
      readonly value: number | null;
      readonly changePct: number | null;
    };
    readonly acquisitionNewCustomers: {
      readonly value: number;
      readonly changePct: number | null;
    };
    readonly newCustomers: {
      readonly value: number;
      readonly changePct: number | null;
    };
    readonly cac: {
      readonly value: number | null;
      readonly changePct: number | null;
    };
    readonly acquisitionAvgLtv: {
      readonly value: number | null;
      readonly changePct: number | null;
    };
    readonly acquisitionLtvCacRatio: {
      readonly value: number | null;
      readonly changePct: number | null;
    };
    readonly acquisitionRoi: {
      readonly value: number | null;
      readonly changePct: number | null;
    };
    readonly paybackMonths: {
      readonly value: number | null;
      readonly changePct: number | null;
    };
    readonly hasAcquisitionClassification: boolean;
  };
  readonly AcquisitionChannels: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly period: {
      readonly startDate: string | null;
      readonly endDate: string | null;
    };
    readonly asOf: string | null;
    readonly coverage: {
      readonly stores: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
      readonly accounts: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
    };
    readonly marginPercent: number;
    readonly marginConfigured: boolean;
    readonly marginCompleteness: "complete" | "partial" | "none";
    readonly marginItemStatus: {
      readonly gateway: "synced" | "configured" | "pending";
      readonly tax: "synced" | "configured" | "pending";
      readonly shipping: "synced" | "configured" | "pending";
      readonly costOfGoods: "synced" | "configured" | "pending";
    } | null;
    readonly filters?: {
      readonly integrationId: string | null;
      channel:
        | "searchads"
        | "socialads"
        | "organic_search"
        | "organic_social"
        | "email"
        | "affiliate"
        | "referral"
        | "direct"
        | "other"
        | "unknown"
        | null;
    };
    readonly data: {
      channel:
        | "searchads"
        | "socialads"
        | "organic_search"
        | "organic_social"
        | "email"
        | "affiliate"
        | "referral"
        | "direct"
        | "other"
        | "unknown";
      readonly label: string;
      readonly investment: number | null;
      readonly orders: number;
      readonly revenue: number;
      readonly newCustomers: number;
      readonly newCustomersRevenue: number;
      readonly cac: number | null;
      readonly ltv: number | null;
      readonly ltvCacRatio: number | null;
      readonly roi: number | null;
      readonly paybackMonths: number | null;
    }[];
  };
  readonly AcquisitionCampaigns: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly period: {
      readonly startDate: string | null;
      readonly endDate: string | null;
    };
    readonly asOf: string | null;
    readonly coverage: {
      readonly stores: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
      readonly accounts: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
    };
    readonly marginPercent: number;
    readonly marginConfigured: boolean;
    readonly marginCompleteness: "complete" | "partial" | "none";
    readonly marginItemStatus: {
      readonly gateway: "synced" | "configured" | "pending";
      readonly tax: "synced" | "configured" | "pending";
      readonly shipping: "synced" | "configured" | "pending";
      readonly costOfGoods: "synced" | "configured" | "pending";
    } | null;
    readonly filters?: {
      readonly integrationId: string | null;
      channel:
        | "searchads"
        | "socialads"
        | "organic_search"
        | "organic_social"
        | "email"
        | "affiliate"
        | "referral"
        | "direct"
        | "other"
        | "unknown"
        | null;
    };
    readonly data: {
      readonly campaignId: string | null;
      readonly campaignName: string;
      readonly connector: "socialads" | "searchads" | null;
      readonly strategy: "acquisition" | "brand" | "monetization" | null;
      readonly impressions: number | null;
      readonly clicks: number | null;
      readonly investment: number | null;
      readonly orders: number;
      readonly revenue: number;
      readonly newCustomers: number;
      readonly newCustomersRevenue: number;
      readonly cac: number | null;
      readonly ltv: number | null;
      readonly ltvCacRatio: number | null;
      readonly roi: number | null;
      readonly paybackMonths: number | null;
    }[];
  };
  readonly AcquisitionNewCustomers: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly period: {
      readonly startDate: string | null;
      readonly endDate: string | null;
    };
    readonly asOf: string | null;
    readonly coverage: {
      readonly stores: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
      readonly accounts: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
    };
    readonly granularity: "day" | "month";
    readonly filters?: {
      readonly integrationId: string | null;
      channel:
        | "searchads"
        | "socialads"
        | "organic_search"
        | "organic_social"
        | "email"
        | "affiliate"
        | "referral"
        | "direct"
        | "other"
        | "unknown"
        | null;
    };
    readonly data: {
      readonly date: string;
      readonly newCustomers: number;
      readonly channels: {
        readonly searchads: number;
        readonly socialads: number;
        readonly organic_search: number;
        readonly organic_social: number;
        readonly email: number;
        readonly affiliate: number;
        readonly referral: number;
        readonly direct: number;
        readonly other: number;
        readonly unknown: number;
      };
    }[];
  };
  readonly AcquisitionContribution: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly period: {
      readonly startDate: string | null;
      readonly endDate: string | null;
    };
    readonly asOf: string | null;
    readonly coverage: {
      readonly stores: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
      readonly accounts: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
    };
    readonly marginPercent: number;
    readonly marginConfigured: boolean;
    readonly marginCompleteness: "complete" | "partial" | "none";
    readonly marginItemStatus: {
      readonly gateway: "synced" | "configured" | "pending";
      readonly tax: "synced" | "configured" | "pending";
      readonly shipping: "synced" | "configured" | "pending";
      readonly costOfGoods: "synced" | "configured" | "pending";
    } | null;
    readonly filters?: {
      readonly integrationId: string | null;
      channel:
        | "searchads"
        | "socialads"
        | "organic_search"
        | "organic_social"
        | "email"
        | "affiliate"
        | "referral"
        | "direct"
        | "other"
        | "unknown"
        | null;
    };
    readonly breakBy: "campanha" | "origem";
    readonly data: {
      readonly breakKey: string | null;
      readonly breakLabel: string | null;
      readonly connector: "socialads" | "searchads" | null;
      readonly strategy: "acquisition" | "brand" | "monetization" | null;
      readonly investment: number | null;
      readonly orders: number;
      readonly revenue: number;
      readonly netRevenue: number;
      readonly costOfGoods: number | null;
      readonly variableCosts: number;
      readonly contributionAfterCosts: number | null;
      readonly contributionAfterAds: number | null;
      readonly contributionProfit: number | null;
      readonly costCoverage: number | null;
    }[];
    readonly total: {
      readonly investment: number | null;
      readonly orders: number;
      readonly revenue: number;
      readonly netRevenue: number;
      readonly costOfGoods: number | null;
      readonly variableCosts: number;
      readonly contributionAfterCosts: number | null;
      readonly contributionAfterAds: number | null;
      readonly contributionProfit: number | null;
      readonly costCoverage: number | null;
    };
    readonly missing: {
      readonly item: "salesTax" | "goods" | "payment" | "shipping" | "fulfilment" | "commission" | "other";
      readonly orders: number;
      readonly revenue: number;
      readonly units: number | null;
      readonly products: number | null;
    }[];
  };
  readonly AcquisitionProducts: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly period: {
      readonly startDate: string | null;
      readonly endDate: string | null;
    };
    readonly asOf: string | null;
    readonly coverage: {
      readonly stores: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
      readonly accounts: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
    };
    readonly marginPercent: number;
    readonly marginConfigured: boolean;
    readonly marginCompleteness: "complete" | "partial" | "none";
    readonly marginItemStatus: {
      readonly gateway: "synced" | "configured" | "pending";
      readonly tax: "synced" | "configured" | "pending";
      readonly shipping: "synced" | "configured" | "pending";
      readonly costOfGoods: "synced" | "configured" | "pending";
    } | null;
    readonly filters?: {
      readonly integrationId: string | null;
      channel:
        | "searchads"
        | "socialads"
        | "organic_search"
        | "organic_social"
        | "email"
        | "affiliate"
        | "referral"
        | "direct"
        | "other"
        | "unknown"
        | null;
    };
    readonly data: {
      readonly integrationId: string;
      readonly productId: string;
      readonly productName: string | null;
      readonly imageUrl: string | null;
      readonly orders: number;
      readonly grossUnits: number;
      readonly netUnits: number;
      readonly grossSales: number | null;
      readonly netSales: number | null;
      readonly cogs: number | null;
      readonly marginTotal: number | null;
      readonly marginAverage: number | null;
      readonly investmentShare: number | null;
      readonly marginAfterAds: number | null;
      readonly ndReason: "incomplete_gross_value" | "incomplete_cost" | null;
    }[];
    readonly total: {
      readonly orders: number;
      readonly revenue: number;
      readonly investment: number | null;
      readonly products: number;
      readonly grossUnits: number;
      readonly netUnits: number;
      readonly grossSales: number;
      readonly otherRevenue: number;
      readonly netSales: number | null;
      readonly productsWithMargin: number;
      readonly marginTotal: number | null;
    };
    readonly meta: {
      readonly page: number;
      readonly limit: number;
      readonly hasNextPage: boolean;
      readonly hasPreviousPage: boolean;
    };
  };
  readonly ProductsIntegrations: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly data: {
      readonly sourceIntegrationId: string;
      readonly integrationName: string | null;
      readonly connector: "storea" | "storeb";
      readonly currency: string | null;
      readonly lastSyncAt: string | null;
      readonly products: number;
      readonly firstSaleDate: string | null;
      readonly lastSaleDate: string | null;
    }[];
  };
  readonly Products: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly period: {
      readonly from: string;
      readonly to: string;
    };
    readonly asOf: string | null;
    readonly selectedColumns: (
      | "grossSales"
      | "netSales"
      | "grossUnits"
      | "netUnits"
      | "averageTicket"
      | "cogs"
      | "marginTotal"
      | "marginAverage"
      | "newCustomers"
      | "recurringCustomers"
      | "entryCustomers"
      | "matureEntryCustomers"
      | "ltv180"
      | "repurchaseRate180"
      | "ltvToDate"
      | "repurchaseRateToDate"
      | "cohortElapsedDaysAverage"
      | "availableStock"
      | "velocity30d"
      | "daysOfStock"
      | "returnRate"
    )[];
    readonly availableColumns: (
      | "grossSales"
      | "netSales"
      | "grossUnits"
      | "netUnits"
      | "averageTicket"
      | "cogs"
      | "marginTotal"
      | "marginAverage"
      | "newCustomers"
      | "recurringCustomers"
      | "entryCustomers"
      | "matureEntryCustomers"
      | "ltv180"
      | "repurchaseRate180"
      | "ltvToDate"
      | "repurchaseRateToDate"
      | "cohortElapsedDaysAverage"
      | "availableStock"
      | "velocity30d"
      | "daysOfStock"
      | "returnRate"
    )[];
    readonly data: {
      readonly integrationId: string;
      readonly productId: string;
      readonly productName: string | null;
      readonly status: "active" | "inactive";
      readonly categoryId: string;
      readonly categoryName: string | null;
      readonly imageUrl: string | null;
      readonly updatedAt: string | null;
      readonly grossSales?: number | null;
      readonly netSales?: number | null;
      readonly grossUnits?: number;
      readonly netUnits?: number;
      readonly averageTicket?: number | null;
      readonly cogs?: number | null;
      readonly marginTotal?: number | null;
      readonly marginAverage?: number | null;
      readonly newCustomers?: number;
      readonly recurringCustomers?: number;
      readonly entryCustomers?: number;
      readonly matureEntryCustomers?: number;
      readonly ltv180?: number | null;
      readonly repurchaseRate180?: number | null;
      readonly ltvToDate?: number | null;
      readonly repurchaseRateToDate?: number | null;
      readonly cohortElapsedDaysAverage?: number | null;
      readonly availableStock?: number | null;
      readonly velocity30d?: number;
      readonly daysOfStock?: number | null;
      readonly returnRate?: number | null;
      readonly inventoryState: "monitored" | "unmonitored" | "unlimited" | "unknown";
      readonly inventoryFreshness: "fresh" | "stale" | "missing";
      readonly inventoryUpdatedAt: string | null;
      readonly cohortState: "mature" | "partial" | "maturing" | "no_base";
      readonly cohortWindowDays: number;
      readonly asOf: string | null;
      readonly coverage: {
        readonly grossValue: number;
        readonly cost: number;
        readonly inventory: number;
        readonly matureCohort: number;
      };
      readonly ndReasons: {
        readonly averageTicket: "no_sales_base" | null;
        readonly margin: "incomplete_gross_value" | "incomplete_cost" | null;
        readonly averageMargin: "no_net_sales" | "incomplete_gross_value" | "incomplete_cost" | null;
        readonly daysOfStock: "unlimited" | "unmonitored" | "no_inventory" | "no_movement" | null;
        readonly ltv180: "no_base" | "maturing" | null;
        readonly repurchaseRate180: "no_base" | "maturing" | null;
        readonly returnRate: "no_sales_base" | "no_returns_coverage" | null;
      };
    }[];
    readonly pagination: {
      readonly page: number;
      readonly pageSize: number;
      readonly total: number;
      readonly totalPages: number;
    };
    readonly categories?: {
      readonly integrationId: string;
      readonly categoryId: string;
      readonly categoryName: string | null;
      readonly parentCategoryId: string | null;
      readonly depth: number;
      readonly grossSales?: number | null;
      readonly netSales?: number | null;
      readonly grossUnits?: number;
      readonly netUnits?: number;
      readonly averageTicket?: number | null;
      readonly cogs?: number | null;
      readonly marginTotal?: number | null;
      readonly marginAverage?: number | null;
      readonly newCustomers?: number;
      readonly recurringCustomers?: number;
      readonly entryCustomers?: number;
      readonly matureEntryCustomers?: number;
      readonly ltv180?: number | null;
      readonly repurchaseRate180?: number | null;
      readonly ltvToDate?: number | null;
      readonly repurchaseRateToDate?: number | null;
      readonly cohortElapsedDaysAverage?: number | null;
      readonly availableStock?: number | null;
      readonly velocity30d?: number;
      readonly daysOfStock?: number | null;
      readonly returnRate?: number | null;
      readonly inventoryState: "monitored" | "unmonitored" | "unlimited" | "unknown";
      readonly inventoryFreshness: "fresh" | "stale" | "missing";
      readonly inventoryUpdatedAt: string | null;
      readonly cohortState: "mature" | "partial" | "maturing" | "no_base";
      readonly cohortWindowDays: number;
      readonly asOf: string | null;
      readonly coverage: {
        readonly grossValue: number;
        readonly cost: number;
        readonly inventory: number;
        readonly matureCohort: number;
      };
      readonly ndReasons: {
        readonly averageTicket: "no_sales_base" | null;
        readonly margin: "incomplete_gross_value" | "incomplete_cost" | null;
        readonly averageMargin: "no_net_sales" | "incomplete_gross_value" | "incomplete_cost" | null;
        readonly daysOfStock: "unlimited" | "unmonitored" | "no_inventory" | "no_movement" | null;
        readonly ltv180: "no_base" | "maturing" | null;
        readonly repurchaseRate180: "no_base" | "maturing" | null;
        readonly returnRate: "no_sales_base" | "no_returns_coverage" | null;
      };
    }[];
  };
  readonly ProductsCategories: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly period: {
      readonly from: string;
      readonly to: string;
    };
    readonly asOf: string | null;
    readonly selectedColumns: (
      | "grossSales"
      | "netSales"
      | "grossUnits"
      | "netUnits"
      | "averageTicket"
      | "cogs"
      | "marginTotal"
      | "marginAverage"
      | "newCustomers"
      | "recurringCustomers"
      | "entryCustomers"
      | "matureEntryCustomers"
      | "ltv180"
      | "repurchaseRate180"
      | "ltvToDate"
      | "repurchaseRateToDate"
      | "cohortElapsedDaysAverage"
      | "availableStock"
      | "velocity30d"
      | "daysOfStock"
      | "returnRate"
    )[];
    readonly availableColumns: (
      | "grossSales"
      | "netSales"
      | "grossUnits"
      | "netUnits"
      | "averageTicket"
      | "cogs"
      | "marginTotal"
      | "marginAverage"
      | "newCustomers"
      | "recurringCustomers"
      | "entryCustomers"
      | "matureEntryCustomers"
      | "ltv180"
      | "repurchaseRate180"
      | "ltvToDate"
      | "repurchaseRateToDate"
      | "cohortElapsedDaysAverage"
      | "availableStock"
      | "velocity30d"
      | "daysOfStock"
      | "returnRate"
    )[];
    readonly categories: {
      readonly integrationId: string;
      readonly categoryId: string;
      readonly categoryName: string | null;
      readonly parentCategoryId: string | null;
      readonly depth: number;
      readonly grossSales?: number | null;
      readonly netSales?: number | null;
      readonly grossUnits?: number;
      readonly netUnits?: number;
      readonly averageTicket?: number | null;
      readonly cogs?: number | null;
      readonly marginTotal?: number | null;
      readonly marginAverage?: number | null;
      readonly newCustomers?: number;
      readonly recurringCustomers?: number;
      readonly entryCustomers?: number;
      readonly matureEntryCustomers?: number;
      readonly ltv180?: number | null;
      readonly repurchaseRate180?: number | null;
      readonly ltvToDate?: number | null;
      readonly repurchaseRateToDate?: number | null;
      readonly cohortElapsedDaysAverage?: number | null;
      readonly availableStock?: number | null;
      readonly velocity30d?: number;
      readonly daysOfStock?: number | null;
      readonly returnRate?: number | null;
      readonly inventoryState: "monitored" | "unmonitored" | "unlimited" | "unknown";
      readonly inventoryFreshness: "fresh" | "stale" | "missing";
      readonly inventoryUpdatedAt: string | null;
      readonly cohortState: "mature" | "partial" | "maturing" | "no_base";
      readonly cohortWindowDays: number;
      readonly asOf: string | null;
      readonly coverage: {
        readonly grossValue: number;
        readonly cost: number;
        readonly inventory: number;
        readonly matureCohort: number;
      };
      readonly ndReasons: {
        readonly averageTicket: "no_sales_base" | null;
        readonly margin: "incomplete_gross_value" | "incomplete_cost" | null;
        readonly averageMargin: "no_net_sales" | "incomplete_gross_value" | "incomplete_cost" | null;
        readonly daysOfStock: "unlimited" | "unmonitored" | "no_inventory" | "no_movement" | null;
        readonly ltv180: "no_base" | "maturing" | null;
        readonly repurchaseRate180: "no_base" | "maturing" | null;
        readonly returnRate: "no_sales_base" | "no_returns_coverage" | null;
      };
    }[];
  };
  readonly ProductsByProductIdSeries: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly state: "ready" | "no_base" | "stale";
    readonly reason: "no_period_sales" | "stale_source" | null;
    readonly asOf: string | null;
    readonly integrationId: string;
    readonly productId: string;
    readonly granularity: "day" | "week";
    readonly bucketDays: number;
    readonly period: {
      readonly from: string;
      readonly to: string;
    };
    readonly periodApplied: {
      readonly basis: "requested";
      readonly granularity: "day" | "week";
    };
    readonly data: {
      readonly index: number;
      readonly from: string;
      readonly to: string;
      readonly netSales: number | null;
      readonly netUnits: number;
      readonly orders: number;
      readonly cogs: number | null;
      readonly marginTotal: number | null;
      readonly marginNdReason: "incomplete_gross_value" | "incomplete_cost" | null;
    }[];
    readonly previous: {
      readonly state: "ready" | "no_base" | "stale";
      readonly reason: "no_period_sales" | "stale_source" | null;
      readonly window: {
        readonly from: string;
        readonly to: string;
      };
      readonly data: {
        readonly index: number;
        readonly from: string;
        readonly to: string;
        readonly netSales: number | null;
        readonly netUnits: number;
        readonly orders: number;
        readonly cogs: number | null;
        readonly marginTotal: number | null;
        readonly marginNdReason: "incomplete_gross_value" | "incomplete_cost" | null;
      }[];
    };
  };
  readonly ProductsByProductId: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly productId: string;
    readonly integrationId: string;
    readonly asOf: string | null;
    readonly period: {
      readonly from: string;
      readonly to: string;
    };
    summary:
      | {
          readonly state: "ready" | "no_base" | "stale";
          reason:
            | "stale_source"
            | "no_period_sales"
            | "no_entry_customers"
            | "no_period_data"
            | "source_not_connected"
            | null;
          readonly asOf: string | null;
          readonly periodApplied: {
            readonly basis: "requested";
          };
          readonly window: {
            readonly from: string;
            readonly to: string;
          } | null;
          readonly integrationId: string;
          readonly productId: string;
          readonly productName: string | null;
          readonly status: "active" | "inactive";
          readonly categoryId: string;
          readonly categoryName: string | null;
          readonly imageUrl: string | null;
          readonly updatedAt: string | null;
          readonly grossSales: number | null;
          readonly netSales: number | null;
          readonly grossUnits: number;
          readonly netUnits: number;
          readonly averageTicket: number | null;
          readonly cogs: number | null;
          readonly marginTotal: number | null;
          readonly marginAverage: number | null;
          readonly newCustomers: number;
          readonly recurringCustomers: number;
          readonly entryCustomers: number;
          readonly matureEntryCustomers: number;
          readonly ltv180: number | null;
          readonly repurchaseRate180: number | null;
          readonly ltvToDate: number | null;
          readonly repurchaseRateToDate: number | null;
          readonly cohortElapsedDaysAverage: number | null;
          readonly availableStock: number | null;
          readonly velocity30d: number;
          readonly daysOfStock: number | null;
          readonly returnRate: number | null;
          readonly inventoryState: "monitored" | "unmonitored" | "unlimited" | "unknown";
          readonly inventoryFreshness: "fresh" | "stale" | "missing";
          readonly inventoryUpdatedAt: string | null;
          readonly cohortState: "mature" | "partial" | "maturing" | "no_base";
          readonly cohortWindowDays: number;
          readonly coverage: {
            readonly grossValue: number;
            readonly cost: number;
            readonly inventory: number;
            readonly matureCohort: number;
          };
          readonly ndReasons: {
            readonly averageTicket: "no_sales_base" | null;
            readonly margin: "incomplete_gross_value" | "incomplete_cost" | null;
            readonly averageMargin: "no_net_sales" | "incomplete_gross_value" | "incomplete_cost" | null;
            readonly daysOfStock: "unlimited" | "unmonitored" | "no_inventory" | "no_movement" | null;
            readonly ltv180: "no_base" | "maturing" | null;
            readonly repurchaseRate180: "no_base" | "maturing" | null;
            readonly returnRate: "no_sales_base" | "no_returns_coverage" | null;
          };
          readonly returnMeasurement: {
            readonly state: "measured" | "no_returns_coverage" | "no_sales_base";
            readonly soldUnits: number;
            readonly returnedUnits: number;
            readonly returnRate: number | null;
          };
        }
      | {
          readonly state: "error";
          readonly reason: "source_unavailable";
          readonly asOf: null;
          readonly periodApplied: {
            readonly basis: "requested";
          };
          readonly window: {
            readonly from: string;
            readonly to: string;
          };
          readonly integrationId: null;
          readonly productId: null;
          readonly productName: null;
          readonly status: null;
          readonly categoryId: null;
          readonly categoryName: null;
          readonly imageUrl: null;
          readonly updatedAt: null;
          readonly grossSales: null;
          readonly netSales: null;
          readonly grossUnits: null;
          readonly netUnits: null;
          readonly averageTicket: null;
          readonly cogs: null;
          readonly marginTotal: null;
          readonly marginAverage: null;
          readonly newCustomers: null;
          readonly recurringCustomers: null;
          readonly entryCustomers: null;
          readonly matureEntryCustomers: null;
          readonly ltv180: null;
          readonly repurchaseRate180: null;
          readonly ltvToDate: null;
          readonly repurchaseRateToDate: null;
          readonly cohortElapsedDaysAverage: null;
          readonly availableStock: null;
          readonly velocity30d: null;
          readonly daysOfStock: null;
          readonly returnRate: null;
          readonly inventoryState: null;
          readonly inventoryFreshness: null;
          readonly inventoryUpdatedAt: null;
          readonly cohortState: null;
          readonly cohortWindowDays: null;
          readonly coverage: null;
          readonly ndReasons: null;
          readonly returnMeasurement: null;
        };
    funnel:
      | {
          readonly state: "ready" | "no_base" | "stale";
          reason:
            | "stale_source"
            | "no_period_sales"
            | "no_entry_customers"
            | "no_period_data"
            | "source_not_connected"
            | null;
          readonly asOf: string | null;
          readonly periodApplied: {
            readonly basis: "requested";
          };
          readonly window: {
            readonly from: string;
            readonly to: string;
          } | null;
          readonly views: number | null;
          readonly addToCarts: number | null;
          readonly checkouts: number | null;
          readonly purchases: number | null;
          readonly viewToCartRate: number | null;
          readonly cartToCheckoutRate: number | null;
          readonly checkoutToPurchaseRate: number | null;
          readonly viewToPurchaseRate: number | null;
        }
      | {
          readonly state: "error";
          readonly reason: "source_unavailable";
          readonly asOf: null;
          readonly periodApplied: {
            readonly basis: "requested";
          };
          readonly window: {
            readonly from: string;
            readonly to: string;
          };
          readonly views: null;
          readonly addToCarts: null;
          readonly checkouts: null;
          readonly purchases: null;
          readonly viewToCartRate: null;
          readonly cartToCheckoutRate: null;
          readonly checkoutToPurchaseRate: null;
          readonly viewToPurchaseRate: null;
        };
    entryCohort:
      | {
          readonly state: "ready" | "no_base" | "stale";
          reason:
            | "stale_source"
            | "no_period_sales"
            | "no_entry_customers"
            | "no_period_data"
            | "source_not_connected"
            | null;
          readonly asOf: string | null;
          readonly periodApplied: {
            readonly basis: "source_window";
          };
          readonly window: {
            readonly from: string;
            readonly to: string;
          } | null;
          readonly overlappingRows: boolean;
          readonly cohortWindowMonths: number;
          readonly rows: {
            readonly month: string;
            readonly entryCustomers: number;
            readonly matureEntryCustomers: number;
            readonly ltv180: number | null;
            readonly repurchaseRate180: number | null;
            readonly ltvToDate: number | null;
            readonly repurchaseRateToDate: number | null;
            readonly cohortElapsedDaysAverage: number | null;
          }[];
        }
      | {
          readonly state: "error";
          readonly reason: "source_unavailable";
          readonly asOf: null;
          readonly periodApplied: {
            readonly basis: "source_window";
          };
          readonly window: null;
          readonly overlappingRows: null;
          readonly cohortWindowMonths: null;
          readonly rows: null;
        };
    boughtTogether:
      | {
          readonly state: "ready" | "no_base" | "stale";
          reason:
            | "stale_source"
            | "no_period_sales"
            | "no_entry_customers"
            | "no_period_data"
            | "source_not_connected"
            | null;
          readonly asOf: string | null;
          readonly periodApplied: {
            readonly basis: "source_window";
          };
          readonly window: {
            readonly from: string;
            readonly to: string;
          } | null;
          readonly rows: {
            readonly productId: string;
            readonly productName: string | null;
            readonly orders: number;
            readonly share: number;
            readonly lift: number;
          }[];
        }
      | {
          readonly state: "error";
          readonly reason: "source_unavailable";
          readonly asOf: null;
          readonly periodApplied: {
            readonly basis: "source_window";
          };
          readonly window: null;
          readonly rows: null;
        };
    retention:
      | {
          readonly state: "ready" | "no_base" | "stale";
          reason:
            | "stale_source"
            | "no_period_sales"
            | "no_entry_customers"
            | "no_period_data"
            | "source_not_connected"
            | null;
          readonly asOf: string | null;
          readonly periodApplied: {
            readonly basis: "requested";
          };
          readonly window: {
            readonly from: string;
            readonly to: string;
          } | null;
          readonly rows: {
            readonly month: number;
            readonly customers: number;
            readonly observed: number;
            readonly pct: number;
          }[];
        }
      | {
          readonly state: "error";
          readonly reason: "source_unavailable";
          readonly asOf: null;
          readonly periodApplied: {
            readonly basis: "requested";
          };
          readonly window: {
            readonly from: string;
            readonly to: string;
          };
          readonly rows: null;
        };
    purchaseFrequency:
      | {
          readonly state: "ready" | "no_base" | "stale";
          reason:
            | "stale_source"
            | "no_period_sales"
            | "no_entry_customers"
            | "no_period_data"
            | "source_not_connected"
            | null;
          readonly asOf: string | null;
          readonly periodApplied: {
            readonly basis: "requested";
          };
          readonly window: {
            readonly from: string;
            readonly to: string;
          } | null;
          readonly rows: {
            readonly purchases: number;
            readonly customers: number;
            readonly share: number;
          }[];
          readonly averageDaysBetween: number | null;
        }
      | {
          readonly state: "error";
          readonly reason: "source_unavailable";
          readonly asOf: null;
          readonly periodApplied: {
            readonly basis: "requested";
          };
          readonly window: {
            readonly from: string;
            readonly to: string;
          };
          readonly rows: null;
          readonly averageDaysBetween: null;
        };
    boughtAfter:
      | {
          readonly state: "ready" | "no_base" | "stale";
          reason:
            | "stale_source"
            | "no_period_sales"
            | "no_entry_customers"
            | "no_period_data"
            | "source_not_connected"
            | null;
          readonly asOf: string | null;
          readonly periodApplied: {
            readonly basis: "source_window";
          };
          readonly window: {
            readonly from: string;
            readonly to: string;
          } | null;
          readonly rows: {
            readonly productId: string;
            readonly productName: string | null;
            readonly customers: number;
            readonly share: number;
            readonly lift: number;
          }[];
        }
      | {
          readonly state: "error";
          readonly reason: "source_unavailable";
          readonly asOf: null;
          readonly periodApplied: {
            readonly basis: "source_window";
          };
          readonly window: null;
          readonly rows: null;
        };
    coupons:
      | {
          readonly state: "ready" | "no_base" | "stale";
          reason:
            | "stale_source"
            | "no_period_sales"
            | "no_entry_customers"
            | "no_period_data"
            | "source_not_connected"
            | null;
          readonly asOf: string | null;
          readonly periodApplied: {
            readonly basis: "requested";
          };
          readonly window: {
            readonly from: string;
            readonly to: string;
          } | null;
          readonly rows: {
            readonly couponCode: string;
            readonly orders: number;
            readonly share: number;
            readonly netSales: number | null;
          }[];
        }
      | {
          readonly state: "error";
          readonly reason: "source_unavailable";
          readonly asOf: null;
          readonly periodApplied: {
            readonly basis: "requested";
          };
          readonly window: {
            readonly from: string;
            readonly to: string;
          };
          readonly rows: null;
        };
    acquisitionChannels:
      | {
          readonly state: "ready" | "no_base" | "stale";
          reason:
            | "stale_source"
            | "no_period_sales"
            | "no_entry_customers"
            | "no_period_data"
            | "source_not_connected"
            | null;
          readonly asOf: string | null;
          readonly periodApplied: {
            readonly basis: "requested";
          };
          readonly window: {
            readonly from: string;
            readonly to: string;
          } | null;
          readonly rows: {
            channel:
              | "searchads"
              | "socialads"
              | "organic_search"
              | "organic_social"
              | "email"
              | "affiliate"
              | "referral"
              | "direct"
              | "other"
              | "unknown";
            readonly label: string;
            readonly entryCustomers: number;
            readonly share: number;
            readonly netSales: number | null;
          }[];
        }
      | {
          readonly state: "error";
          readonly reason: "source_unavailable";
          readonly asOf: null;
          readonly periodApplied: {
            readonly basis: "requested";
          };
          readonly window: {
            readonly from: string;
            readonly to: string;
          };
          readonly rows: null;
        };
  };
  readonly Alerts: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly period: {
      readonly startDate: string | null;
      readonly endDate: string | null;
    };
    readonly asOf: string | null;
    readonly coverage: {
      readonly stores: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
      readonly accounts: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
    };
    readonly data: {
      readonly alert: string;
      readonly builtIn: boolean;
      figure:
        | "revenue"
        | "netRevenue"
        | "contribution1"
        | "contribution2"
        | "contribution3"
        | "orders"
        | "newCustomers"
        | "investment"
        | "cac"
        | null;
      readonly channel: string | null;
      readonly campaignId: string | null;
      readonly connector: string | null;
      readonly integrationId: string | null;
      readonly productId: string | null;
      readonly label: string | null;
      readonly rule: "above" | "below" | "change" | null;
      readonly value: number | null;
      readonly over: "day" | "week" | "threeDays";
      readonly atOnce: boolean;
      readonly since: string;
      readonly until: string | null;
      readonly days: number;
      readonly from: string;
      readonly to: string;
      readonly actual: number;
      readonly expected: number | null;
      readonly changePct: number | null;
      readonly notes: string | null;
      readonly endedCampaigns: string | null;
      readonly silentStores: string | null;
    }[];
    readonly judged: {
      readonly alert: string;
      readonly builtIn: boolean;
      readonly days: number;
      readonly beyond: number;
      readonly lastDay: string | null;
      readonly leastPct: number | null;
      readonly canTell: boolean;
    }[];
  };
  readonly AlertsReplay: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly period: {
      readonly startDate: string | null;
      readonly endDate: string | null;
    };
    readonly asOf: string | null;
    readonly coverage: {
      readonly stores: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
      readonly accounts: {
        readonly integrationId: string;
        readonly lastDay: string | null;
      }[];
    };
    builtIn:
      | "lateData"
      | "spendWithoutSales"
      | "investment"
      | "orders"
      | "revenue"
      | "campaignLoses"
      | "returnRate"
      | "stock"
      | null;
    metric:
      | "revenue"
      | "netRevenue"
      | "contribution1"
      | "contribution2"
      | "contribution3"
      | "orders"
      | "newCustomers"
      | "investment"
      | "cac";
    readonly rule: "above" | "below" | "change";
    readonly value: string | null;
    readonly over: "day" | "week";
    readonly channel: string | null;
    readonly campaignId: string | null;
    readonly integrationId: string | null;
    readonly judgedDays: number;
    readonly beyond: number;
    readonly causes: number;
    readonly firstDay: string | null;
    readonly lastDay: string | null;
    readonly perWeek: number | null;
    readonly isLongEnough: boolean;
    readonly isTooOften: boolean;
    readonly data: {
      readonly alert: string;
      readonly builtIn: boolean;
      figure:
        | "revenue"
        | "netRevenue"
        | "contribution1"
        | "contribution2"
        | "contribution3"
        | "orders"
        | "newCustomers"
        | "investment"
        | "cac"
        | null;
      readonly channel: string | null;
      readonly campaignId: string | null;
      readonly connector: string | null;
      readonly integrationId: string | null;
      readonly productId: string | null;
      readonly label: string | null;
      readonly rule: "above" | "below" | "change" | null;
      readonly value: number | null;
      readonly over: "day" | "week" | "threeDays";
      readonly atOnce: boolean;
      readonly since: string;
      readonly until: string | null;
      readonly days: number;
      readonly from: string;
      readonly to: string;
      readonly actual: number;
      readonly expected: number | null;
      readonly changePct: number | null;
      readonly notes: string | null;
      readonly endedCampaigns: string | null;
      readonly silentStores: string | null;
    }[];
    readonly days: {
      readonly date: string;
      readonly about: string | null;
      readonly from: string;
      readonly to: string;
      readonly actual: number;
      readonly expected: number | null;
      readonly isBeyond: boolean;
    }[];
  };
  readonly Restatements: {
    readonly knownAt: string;
    readonly knownState: string;
    readonly settingsSince: string;
    readonly comparedAt: string;
    readonly comparedState: string;
    readonly period: {
      readonly startDate: string | null;
      readonly endDate: string | null;
    };
    readonly asOf: string | null;
    readonly unchanged: number;
    readonly data: {
      readonly month: string | null;
      figure:
        | "revenue"
        | "orders"
        | "investment"
        | "newCustomers"
        | "contributionProfit"
        | "giftCards"
        | "refunds"
        | "salesTax"
        | "netRevenue"
        | "goods"
        | "contribution1"
        | "payment"
        | "shipping"
        | "fulfilment"
        | "commission"
        | "other"
        | "contribution2"
        | "contribution3"
        | "fixed"
        | "profit";
      readonly before: number | null;
      readonly after: number | null;
      readonly change: number | null;
      readonly causes: {
        readonly arrived?: number;
        readonly counted?: number;
        readonly uncounted?: number;
        readonly gone?: number;
        readonly moved?: number;
        readonly value?: number;
        readonly spend?: number;
        readonly data?: number;
        readonly settings: number;
      } | null;
    }[];
  };
  readonly RestatementsOrders: {
    readonly knownAt: string;
    readonly knownState: string;
    readonly settingsSince: string;
    readonly comparedAt: string;
    readonly comparedState: string;
    readonly period: {
      readonly startDate: string | null;
      readonly endDate: string | null;
    };
    readonly asOf: string | null;
    readonly data: {
      readonly orderId: string;
      readonly integrationId: string;
      readonly connector: "storea" | "storeb";
      readonly orderedAt: string | null;
      readonly cause: "arrived" | "counted" | "uncounted" | "gone" | "moved" | "value";
      readonly before: {
        readonly orderedOn: string | null;
        readonly revenue: number | null;
        readonly counted: boolean;
        readonly status: string | null;
      } | null;
      readonly after: {
        readonly orderedOn: string | null;
        readonly revenue: number | null;
        readonly counted: boolean;
        readonly status: string | null;
      } | null;
      readonly change: number;
      readonly landedAt: string | null;
      readonly file: string | null;
    }[];
    readonly meta: {
      readonly page: number;
      readonly limit: number;
      readonly hasNextPage: boolean;
      readonly hasPreviousPage: boolean;
    };
  };
  readonly RestatementsSpend: {
    readonly knownAt: string;
    readonly knownState: string;
    readonly settingsSince: string;
    readonly comparedAt: string;
    readonly comparedState: string;
    readonly period: {
      readonly startDate: string | null;
      readonly endDate: string | null;
    };
    readonly asOf: string | null;
    readonly data: {
      readonly connector: "socialads" | "searchads";
      readonly campaignId: string;
      readonly spentOn: string;
      readonly campaignName: string | null;
      readonly before: number | null;
      readonly after: number | null;
      readonly change: number;
      readonly landedAt: string | null;
      readonly file: string | null;
    }[];
    readonly meta: {
      readonly page: number;
      readonly limit: number;
      readonly hasNextPage: boolean;
      readonly hasPreviousPage: boolean;
    };
  };
  readonly Explain: {
    readonly knownAt?: string;
    readonly knownState?: string;
    readonly settingsSince?: string;
    readonly endpoint: string;
    readonly parameters: {
      [k: string]: string | number | null;
    };
    readonly figure: string;
    readonly row: string | null;
    readonly value: number | null;
    readonly unit: string | null;
    readonly description: string;
    readonly formula: string | null;
    readonly nullWhen: string;
    readonly isNullBecause?: string;
    readonly inputs: {
      readonly figure: string;
      readonly value: number | null;
    }[];
    readonly sql: {
      readonly file: string;
      readonly text: string;
    }[];
    readonly decisions: string[];
    readonly rows: {
      readonly ordersUsed: number;
      readonly ordersLeftOut: {
        readonly reason: string;
        readonly orders: number;
        readonly value: number;
      }[];
      readonly spendRows: number;
    };
    readonly orders: string | null;
    readonly sources: {
      readonly integrationId: string;
      readonly record: string;
      readonly files: number;
      readonly rows: number;
      readonly newestDay: string | null;
      readonly lastLandedAt: string | null;
    }[];
    readonly asOf: string | null;
  };
}
