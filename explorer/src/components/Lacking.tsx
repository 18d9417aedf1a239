import { type Coverage, coverageOf, lacksOf } from "../coverage.ts";
import { day } from "../format.ts";
import { organization } from "../session.ts";
import { lastDay } from "../stores.ts";
import { t } from "../text.ts";

interface Answered {
  readonly period: { readonly endDate: string | null };
  readonly coverage?: Coverage;
}

/** Beside figures: which store or account of ads has no data for the end of their period. */
export function Lacking({ answer: { period, coverage } }: { answer: Answered }) {
  const connectors = organization.value?.connectors ?? [];
  const lacks = lacksOf(coverage ?? coverageOf(connectors), period.endDate, lastDay());
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
