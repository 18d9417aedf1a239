import { useMemo } from "preact/hooks";
import { type Answer, useAnswer } from "./answer.ts";
import type { Answers } from "./answerTypes.ts";
import type { Query } from "./api.ts";
import { clock } from "./days.ts";
import { aboutThen, known } from "./moment.ts";
import { type Organization, organization } from "./session.ts";

type Result = Answers["Sql"];

/** What the list of organizations says of one; the list itself is of now. */
const QUERY: Query = {
  path: "/v1/sql",
  params: {
    limit: 1000,
    query: `select i.integration_id, i.connector, i.integration_name, n.newest_on, instant_text(i.last_landed_at),
 d.first_on, d.last_on, instant_text(o.as_of), if(i.kind = 'store', i.timezone, null)
from integrations i
left join (select integration_id, max(newest_on) as newest_on from landed_records group by all) n using (integration_id)
cross join (select min(day_on) as first_on, max(day_on) as last_on from daily_totals where is_covered) d
cross join organization o
order by i.position`,
  },
};

/** While the page shows what was known then, the organization is that of then, and so is the page's clock. */
export function useThen(): Answer<Result> | undefined {
  const isAsked = known.value !== "";
  const answer = useAnswer<Result>(isAsked ? QUERY : undefined);
  const data = isAsked && answer.state === "ready" ? answer.data : undefined;
  const id = organization.value?.id ?? "";
  const made = useMemo(() => data && { id, about: aboutOf(data) }, [data, id]);
  clock.value = data?.knownAt === undefined ? undefined : Date.parse(data.knownAt);
  aboutThen.value = made;
  return isAsked ? answer : undefined;
}

type Cell = string | null;

function aboutOf({ rows }: Result): Omit<Organization, "id" | "name" | "targets" | "locale" | "notes" | "currency"> {
  const [first] = rows as Cell[][];
  const zones = (rows as Cell[][]).flatMap((row) => row[8] ?? []);
  return {
    firstDay: first?.[5] ?? null,
    lastDay: first?.[6] ?? null,
    asOf: first?.[7] ?? null,
    timezones: [...new Set(zones)].sort(),
    connectors: (rows as Cell[][]).map(([integrationId, connector, name, newestDay = null, lastLandedAt = null]) => ({
      integrationId: integrationId ?? "",
      connector: connector ?? "",
      name: name ?? connector ?? "",
      newestDay,
      lastLandedAt,
    })),
  };
}
