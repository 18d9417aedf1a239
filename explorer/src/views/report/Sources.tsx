import { isLoss } from "../../../../src/features/actions/loss.ts";
import type { Bridge, Contribution, Contributions } from "../../answers.ts";
import { amount, figure, signed, signedAmount } from "../../format.ts";
import { t } from "../../text.ts";
import { channelName } from "../acquisition/names.ts";
import { lossSentence } from "../acquisition/Results.tsx";
import { report } from "./reportText.ts";

/** More rows than these are on the pages of the Explorer. */
const MOST = { campaigns: 12, products: 15 } as const;

const isThere = ({ orders, investment }: Contribution): boolean => orders > 0 || (investment ?? 0) > 0;

interface ChannelsProps {
  readonly results: Contributions;
  readonly bridge: Bridge | undefined;
  readonly days: string;
}

/** What each channel sold, and what its orders left after its ads. */
export function Channels({ results, bridge, days }: ChannelsProps) {
  const { metric } = t();
  const rows = results.data.filter(isThere).toSorted((a, b) => b.revenue - a.revenue);
  // Without the days of the year that the answer is of, the changes are of other days.
  const changes = days ? undefined : bridge && new Map((bridge.drivers ?? []).map(({ key, change }) => [key, change]));
  return (
    <section class="report-part" data-part="channels">
      <h3>
        {report().channels}
        {days && <small>{days}</small>}
      </h3>
      <table class="report-table">
        <thead>
          <tr>
            <th scope="col">{report().channel}</th>
            <th scope="col">{metric.revenue}</th>
            {changes && (
              <th scope="col" class="is-wide">
                {report().statement.change}
              </th>
            )}
            <th scope="col" class="is-wide">
              {metric.orders}
            </th>
            <th scope="col">{metric.investment}</th>
            <th scope="col">{metric.contribution3}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.breakKey} data-row={row.breakKey ?? ""}>
              <th scope="row">{row.breakKey === null ? t().cockpit.unnamed : channelName(row.breakKey)}</th>
              <td>{amount(row.revenue)}</td>
              {changes && <td class="is-wide">{signedAmount(changes.get(row.breakKey) ?? null)}</td>}
              <td class="is-wide">{figure(row.orders, "count")}</td>
              <td>{spent(row.investment)}</td>
              <td>{amount(row.contributionAfterAds)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr class="is-total" data-row="total">
            <th scope="row">{t().table.total}</th>
            <td>{amount(results.total.revenue)}</td>
            {changes && <td class="is-wide">{signedAmount(bridge?.revenue.change)}</td>}
            <td class="is-wide">{figure(results.total.orders, "count")}</td>
            <td>{spent(results.total.investment)}</td>
            <td>{amount(results.total.contributionAfterAds)}</td>
          </tr>
        </tfoot>
      </table>
      <p class="report-note">{report().basis}</p>
    </section>
  );
}

/** Nothing spent is no figure worth reading. */
const spent = (investment: number | null): string => (investment === 0 ? "–" : amount(investment));

/** What each campaign cost, and what its orders left; the largest first. */
export function Campaigns({ results, days }: { results: Contributions; days: string }) {
  const { metric, acquisition } = t();
  const rows = results.data
    .filter((row) => isThere(row) && row.breakKey !== null)
    .toSorted((a, b) => (b.investment ?? 0) - (a.investment ?? 0) || b.revenue - a.revenue);
  if (rows.length === 0) return null;
  const shown = rows.slice(0, MOST.campaigns);
  const without = results.data.find((row) => row.breakKey === null && isThere(row));
  return (
    <section class="report-part" data-part="campaigns">
      <h3>
        {report().campaigns}
        {days && <small>{days}</small>}
      </h3>
      <p>{lossSentence("campaigns", results.data, results.total.investment)}</p>
      <table class="report-table">
        <thead>
          <tr>
            <th scope="col">{report().campaign}</th>
            <th scope="col">{metric.investment}</th>
            <th scope="col" class="is-wide">
              {metric.orders}
            </th>
            <th scope="col">{metric.revenue}</th>
            <th scope="col">{metric.contribution3}</th>
          </tr>
        </thead>
        <tbody>
          {[...shown, ...(without ? [without] : [])].map((row) => (
            <tr key={`${row.connector} ${row.breakKey}`} data-row={row.breakKey ?? ""}>
              <th scope="row">
                {row.breakLabel ?? row.breakKey ?? report().noCampaign}
                {row.connector && <small>{report().network[row.connector]}</small>}
                {row.breakKey !== null && isLoss(row, results.total.investment) && (
                  <small class="report-lost">{acquisition.results.lost}</small>
                )}
              </th>
              <td>{spent(row.investment)}</td>
              <td class="is-wide">{figure(row.orders, "count")}</td>
              <td>{amount(row.revenue)}</td>
              <td>{amount(row.contributionAfterAds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown.length && (
        <p class="report-note">{report().moreCampaigns(figure(rows.length - shown.length, "count"))}</p>
      )}
    </section>
  );
}

type Driver = NonNullable<Bridge["drivers"]>[number];

/** What sold most, and what changed most. */
export function Products({ bridge, isCompared }: { bridge: Bridge; isCompared: boolean }) {
  const { metric, cockpit } = t();
  const rows = (bridge.drivers ?? [])
    .filter(({ before, after }) => before !== 0 || after !== 0)
    .toSorted((a, b) => b.after - a.after || b.before - a.before);
  const named = rows.filter(({ key, label }) => key !== null || label !== null);
  const shown = named.slice(0, MOST.products);
  if (shown.length === 0) return null;
  const most = (sign: 1 | -1): Driver | undefined =>
    named.filter(({ change }) => change * sign > 0).toSorted((a, b) => (b.change - a.change) * sign)[0];
  const [up, down] = [most(1), most(-1)];
  const nameOf = ({ key, label }: Driver): string => label ?? key ?? cockpit.unnamed;
  return (
    <section class="report-part" data-part="products">
      <h3>{report().products}</h3>
      {isCompared && (
        <p>
          {up && cockpit.mostUp(nameOf(up), signed(up.change, "currency"))}{" "}
          {down && cockpit.mostDown(nameOf(down), signed(down.change, "currency"))}
        </p>
      )}
      <table class="report-table">
        <thead>
          <tr>
            <th scope="col">{report().product}</th>
            <th scope="col">{metric.revenue}</th>
            <th scope="col">{report().share}</th>
            {isCompared && (
              <>
                <th scope="col" class="is-wide">
                  {report().statement.before}
                </th>
                <th scope="col">{report().statement.change}</th>
              </>
            )}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={`${row.key} ${row.label}`} data-row={row.key ?? ""}>
              <th scope="row">{nameOf(row)}</th>
              <td>{amount(row.after)}</td>
              <td>{bridge.revenue.after === 0 ? "" : figure(row.after / bridge.revenue.after, "ratio")}</td>
              {isCompared && (
                <>
                  <td class="is-wide">{amount(row.before)}</td>
                  <td>{signedAmount(row.change)}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {named.length > shown.length && (
        <p class="report-note">{report().moreProducts(figure(named.length - shown.length, "count"))}</p>
      )}
    </section>
  );
}
