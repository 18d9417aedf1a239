import type { Statement } from "../../answers.ts";
import { momentText, usePins } from "../../components/Known.tsx";
import { clock } from "../../days.ts";
import { instant, range } from "../../format.ts";
import { known } from "../../moment.ts";
import type { Compared } from "../../period.ts";
import { organization, shared } from "../../session.ts";
import { report } from "./reportText.ts";

/** The digits of a state that tell it from others. */
const DIGITS = 12;

interface Props {
  readonly from: string;
  readonly to: string;
  readonly compared: Compared | undefined;
  readonly statement: Statement | undefined;
}

/** Of which days the report is, and what was known when it was made. */
export function Facts({ from, to, compared, statement }: Props) {
  const { facts } = report();
  return (
    <dl class="report-facts">
      <Fact name="period" label={facts.period} value={range(from, to)} />
      {compared && <Fact name="compared" label={facts.compared} value={range(compared.from, compared.to)} />}
      <Known statement={statement} />
    </dl>
  );
}

/** A pin with its instant and state, so that somebody else can verify it; without one how fresh the data are. */
function Known({ statement }: { statement: Statement | undefined }) {
  const { facts, never } = report();
  const then = shared.value?.knownAt ?? known.value;
  const isThen = then !== "";
  const pins = usePins(isThen && !shared.value);
  const pin = shared.value ? pinIn(statement, then) : pins.find(({ name }) => name === then);
  const asOf = organization.value?.asOf ?? null;
  if (pin)
    return (
      <>
        {pin.name !== pin.knownAt && <Fact name="pin" label={facts.pin} value={momentText(pin.name)} />}
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

/** Who reads a share cannot ask for pins: its answers say what was known then. */
function pinIn(statement: Statement | undefined, name: string) {
  const { knownAt, knownState } = statement ?? {};
  return knownAt === undefined || knownState === undefined ? undefined : { name, knownAt, knownState };
}

const Fact = ({ name, label, value }: { name: string; label: string; value: string }) => (
  <div data-fact={name}>
    <dt>{label}</dt>
    <dd>{value}</dd>
  </div>
);
