import { usePins } from "../../components/Known.tsx";
import { clock } from "../../days.ts";
import { instant, range } from "../../format.ts";
import { known } from "../../moment.ts";
import type { Compared } from "../../period.ts";
import { organization } from "../../session.ts";
import { report } from "./reportText.ts";

/** The digits of a state that tell it from others. */
const DIGITS = 12;

interface Props {
  readonly from: string;
  readonly to: string;
  readonly compared: Compared | undefined;
}

/** Of which days the report is, and what was known when it was made. */
export function Facts({ from, to, compared }: Props) {
  const { facts } = report();
  return (
    <dl class="report-facts">
      <Fact name="period" label={facts.period} value={range(from, to)} />
      {compared && <Fact name="compared" label={facts.compared} value={range(compared.from, compared.to)} />}
      <Known />
    </dl>
  );
}

/** A pin with its instant and state, so that somebody else can verify it; without one how fresh the data are. */
function Known() {
  const { facts, never } = report();
  const isThen = known.value !== "";
  const pin = usePins(isThen).find(({ name }) => name === known.value);
  const asOf = organization.value?.asOf ?? null;
  if (pin)
    return (
      <>
        <Fact name="pin" label={facts.pin} value={pin.name} />
        <Fact name="known" label={facts.known} value={instant(pin.knownAt)} />
        <Fact name="state" label={facts.state} value={pin.knownState.slice(0, DIGITS)} />
      </>
    );
  return (
    <>
      {isThen && clock.value !== undefined && (
        <Fact name="known" label={facts.known} value={instant(new Date(clock.value).toISOString())} />
      )}
      <Fact name="asOf" label={facts.asOf} value={asOf === null ? never : instant(asOf)} />
    </>
  );
}

const Fact = ({ name, label, value }: { name: string; label: string; value: string }) => (
  <div data-fact={name}>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </div>
);
