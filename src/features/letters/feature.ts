import type { Logger } from "pino";
import type { Audit } from "../../core/audit/audit.ts";
import type { Config } from "../../core/config.ts";
import type { Organization } from "../../core/contract/settings.ts";
import type { HttpFeature } from "../../core/http/feature.ts";
import type { EndpointHandler } from "../../core/http/handler.ts";
import type { OrganizationListParts } from "../../core/http/organizations.ts";
import type { Organizations } from "../../core/organizations/organizations.ts";
import type { Resource } from "../platform/resource.ts";
import { Networks } from "../webhooks/networks.ts";
import { type AlertLines, noAlerts } from "./alerts.ts";
import { type Ask, askOf } from "./ask.ts";
import { endLetters } from "./end.ts";
import { letterResources } from "./resources.ts";
import { endRoutes, PATH } from "./routes.ts";
import { LetterRun } from "./run.ts";
import type { Language } from "./words.ts";

interface Person {
  readonly operator?: boolean;
  readonly language?: Language;
  readonly roles: Readonly<Record<string, unknown>>;
}

interface Dependencies {
  readonly config: Config;
  readonly log: Logger;
  readonly audit: Audit;
  readonly readOnly: boolean;
  readonly parts: OrganizationListParts & { readonly people: { find(email: string): Promise<Person | undefined> } };
  readonly data: {
    readonly organizations: Pick<Organizations, "get" | "ids">;
    readonly allSettings: () => Promise<readonly Organization[]>;
  };
  /** What alerts say in letters; none without it. */
  readonly alerts?: AlertLines;
}

interface Letters {
  readonly resources: readonly Resource[];
  readonly feature: HttpFeature;
  stop(): Promise<void>;
}

/** Who ends letters of people who have no role any more. */
const BY_ITSELF = "letters";

/** Letters [D95], for a service with people. */
export function openLetters(deps: Dependencies): Letters {
  const { config, log, audit, readOnly, parts, data, alerts = noAlerts } = deps;
  const { organizations } = data;
  let handler: EndpointHandler | undefined;
  let run: LetterRun | undefined;
  const ask = (organization: string, signal: AbortSignal): Ask => {
    if (!handler) throw new Error("the service has not begun");
    return askOf(handler, parts, organization, signal);
  };
  const ending = { config, organizations, log: audit };
  return {
    resources: letterResources({ ...ending, askOf: ask, alerts }),
    feature: {
      paths: [PATH],
      routes: () => endRoutes({ ...ending, readOnly }),
      begin: (http) => {
        handler = http.handler;
        if (readOnly) return;
        run = new LetterRun({
          config,
          log,
          alerts,
          organizations: data.allSettings,
          askOf: ask,
          stateOf: async (organization) => (await parts.answers.dataState(organization))?.version,
          networks: new Networks(config.webhookNetworks),
          personOf: async (organization, email) => {
            const person = await parts.people.find(email.toLowerCase());
            const hasRole = person && (person.operator === true || Object.hasOwn(person.roles, organization));
            return hasRole ? { language: person.language } : undefined;
          },
          end: (organization, of) => endLetters(ending, organization, BY_ITSELF, of),
        });
        run.start();
      },
    },
    stop: async () => run?.stop(),
  };
}
