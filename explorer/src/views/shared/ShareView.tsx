import { shownQueries } from "../../answer.ts";
import { route } from "../../route.ts";
import { organization } from "../../session.ts";
import { t } from "../../text.ts";
import { ShareDialog } from "./ShareDialog.tsx";

/** Of the page itself, not of what it shows. */
const OF_THE_PAGE = [
  "/v1/pins",
  "/v1/data-quality",
  "/v1/organizations",
  "/v1/sql",
  "/v1/profit/pace",
  // The channels that can be chosen.
  "/v1/profitability/breakdown",
];

/** Shares the view that is open, with the answers that it shows now. */
export function ShareView({ close }: { close: () => void }) {
  const queries = [...shownQueries].filter(({ path }) => !OF_THE_PAGE.includes(path));
  const name = [organization.value?.name, t().frame.views[route.value.view]].filter(Boolean).join(" · ");
  const hasProfit = queries.some(({ path }) => path.startsWith("/v1/profit/"));
  return <ShareDialog name={name.slice(0, 100)} queries={queries} hasProfit={hasProfit} close={close} />;
}
