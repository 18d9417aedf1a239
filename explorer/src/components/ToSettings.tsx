import { settingsAt } from "../route.ts";
import { isAdmin } from "../session.ts";
import { t } from "../text.ts";

/** The places in the settings that notices lead to. */
export type Place =
  | "margin"
  | "costs"
  | "tables"
  | "campaigns"
  | "funnel"
  | "connections"
  | "files"
  | "stores"
  | "payments";

/** The section of each, and the field in it. */
const PLACES: Readonly<Record<Place, readonly [section: string, field?: string]>> = {
  margin: ["costs", "margin"],
  costs: ["costs"],
  tables: ["costs", "tables"],
  campaigns: ["campaigns"],
  funnel: ["funnel"],
  connections: ["connections"],
  files: ["files"],
  stores: ["connections"],
  payments: ["payments"],
};

interface Props {
  readonly place: Place;
  /** Instead of the place's own field, such as the item of a cost. */
  readonly field?: string | undefined;
}

/** The way from a notice to its field in the settings; for who may not change them, who can. */
export function ToSettings({ place, field }: Props) {
  const words = t().toSettings;
  const [section, own] = PLACES[place];
  const at = field ?? own;
  if (!isAdmin.value) return <span class="muted to-settings">{words.who}</span>;
  return (
    <a class="to-settings" href={settingsAt(section, at === undefined ? {} : { field: at })}>
      {words[place]}
    </a>
  );
}
