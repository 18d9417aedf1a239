import { type Coverage, coverageOf, type Lack, lacksOf } from "../coverage.ts";
import { inForce } from "../filter.ts";
import { day, shortDay } from "../format.ts";
import { organization } from "../session.ts";
import { lastDay } from "../stores.ts";
import { t } from "../text.ts";

interface Answered {
  readonly period: { readonly endDate: string | null };
  readonly coverage?: Coverage;
}

function lacksIn({ period, coverage }: Answered): readonly Lack[] {
  const connectors = organization.value?.connectors ?? [];
  const { store, channel } = inForce.value;
  // Of the stores and accounts whose figures the filter leaves out, nothing is lacking.
  const isOf = ({ is, integrationId }: Lack): boolean =>
    is === "store"
      ? store === "" || store === integrationId
      : channel === "" || connectors.some((one) => one.integrationId === integrationId && one.connector === channel);
  return lacksOf(coverage ?? coverageOf(connectors), period.endDate, lastDay()).filter(isOf);
}

/** Whether figures are still to change when a store or an account brings its last days: they give no verdict. */
export const hasLacks = (answer: Answered): boolean => lacksIn(answer).length > 0;

/** What the end of the period lacks, in a few words. */
export const lacksOn = (answer: Answered): string =>
  lacksIn(answer)
    .map(({ is, lastDay: known }) => t().lacking.short[is](known === null ? t().notAvailable : shortDay(known)))
    .join(", ");

/** Beside figures: which store or account of ads has no data for the end of their period. */
export function Lacking({ answer }: { answer: Answered }) {
  const connectors = organization.value?.connectors ?? [];
  const lacks = lacksIn(answer);
  if (lacks.length === 0) return null;
  const words = t().lacking;
  const nameOf = (id: string): string => connectors.find(({ integrationId }) => integrationId === id)?.name ?? id;
  return (
    <ul class="lacking" data-lacking={lacks.length}>
      {lacks.map(({ integrationId, is, lastDay: known }) => (
        <li key={integrationId}>
          {known === null ? words.never[is](nameOf(integrationId)) : words.until[is](nameOf(integrationId), day(known))}
        </li>
      ))}
    </ul>
  );
}
