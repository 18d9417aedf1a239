import { dataOf, useAnswer } from "../answer.ts";
import type { Answers } from "../answerTypes.ts";
import { storeName } from "../filter.ts";
import { ADS } from "../session.ts";
import { said } from "../text.ts";
import { hiddenSpend as WORDS } from "../words/later/hiddenSpend.ts";
import { Banner } from "./Banner.tsx";
import { ToSettings } from "./ToSettings.tsx";

interface Props {
  readonly store: string;
  /** Empty without one. */
  readonly channel: string;
}

/** The ad accounts that hide what a store spends: those that may have spent for it and for another one [D86]. */
const accountsOf = (store: string): string => `select integration_id, coalesce(integration_name, connector)
from integrations
where kind = 'ads' and coalesce(list_contains(stores, '${store}') and len(stores) > 1, stores is null)
order by position`;

/** On every page that is filtered by a store whose spend nobody knows: why, and the way to the accounts that would say it. */
export function HiddenSpend({ store, channel }: Props) {
  const words = said(WORDS);
  // Other channels have no spend, which is known.
  const isAsked = channel === "" || ADS.includes(channel);
  const answer = useAnswer<Answers["Sql"]>(
    isAsked ? { path: "/v1/sql", params: { limit: 100, query: accountsOf(store) } } : undefined,
  );
  const accounts = (isAsked && dataOf(answer)?.rows) || [];
  if (accounts.length === 0) return null;
  return (
    <Banner tone="warn">
      {words.unknown(storeName(store))}
      <ul class="hidden-spend">
        {(accounts as (string | null)[][]).map(([id, name]) => (
          <li key={id}>
            {words.account(name ?? "")} <ToSettings place="stores" field={id ?? undefined} />
          </li>
        ))}
      </ul>
    </Banner>
  );
}
