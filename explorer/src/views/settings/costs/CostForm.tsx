import { useState } from "preact/hooks";
import { Sheet } from "../../../components/Modal.tsx";
import { daysBefore } from "../../../days.ts";
import { day } from "../../../format.ts";
import { organization, STORES } from "../../../session.ts";
import { said, t } from "../../../text.ts";
import { costs as COSTS } from "../../../words/later/costs.ts";
import { Choice, SelectField, TextField, Tick } from "../fields.tsx";
import { asksSince, costIn, costsWith, type Fault, type Form, faultsOf, sumsOf } from "./form.ts";
import { type AmountKind, type Cost, type CostItem, ITEMS, KINDS, keptOfMargin, type Margin } from "./rules.ts";
import { amountsOf, paymentIn, paymentName, sentenceOf } from "./sentence.ts";

interface Props {
  readonly initially: Form;
  readonly costs: readonly Cost[];
  readonly margin: Margin | null | undefined;
  /** The cost that is changed; undefined for a new one. */
  readonly old?: Cost | undefined;
  /** How orders were paid, as far as it is known. */
  readonly payments: readonly string[];
  readonly take: (costs: readonly Cost[]) => void;
  readonly close: () => void;
}

/** Adds or changes a cost. What it will mean is shown as a sentence before it is taken. */
export function CostForm({ initially, costs, margin, old, payments, take, close }: Props) {
  const [form, setForm] = useState(initially);
  const [isTried, setTried] = useState(false);
  const words = said(COSTS);
  const others = costs.filter((one) => one !== old);
  const beside = { others, old };
  const faults = faultsOf(form, beside);
  const shown = isTried ? faults : {};
  const text = (fault: Fault | undefined): string | undefined => fault && words.errors[fault];
  const set = (next: Partial<Form>): void => setForm({ ...form, ...next });
  const cost = costIn(form);
  const sums = sumsOf(form, beside);
  const kept = keptOfMargin(cost, others, margin);
  const isComplete = Object.keys(cost.amounts).length > 0;
  const submit = (event: Event): void => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(faults).length > 0) return;
    take([...(kept ? [kept] : []), ...costsWith(form, costs, old)]);
  };
  const title = old ? words.alterTitle(words.items[form.item]) : words.addTitle(words.items[form.item]);
  return (
    <Sheet title={title} close={close}>
      <form class="setting-form" onSubmit={submit} noValidate data-form="cost">
        {!old && (
          <SelectField<CostItem>
            label={words.item}
            value={form.item}
            options={ITEMS.map((item) => [item, words.items[item]])}
            change={(item) => set({ item, amounts: {}, isCharged: false, sum: undefined })}
            hint={words.about[form.item]}
          />
        )}
        <Tick label={words.none} checked={form.isNone} change={(isNone) => set({ isNone })} />
        {!form.isNone && <Amounts form={form} set={set} fault={(kind) => text(shown[kind])} />}
        {text(shown.amounts) && (
          <small class="setting-error" role="alert">
            {text(shown.amounts)}
          </small>
        )}
        <fieldset class="setting-group">
          <legend>{words.when}</legend>
          <div class="setting-pair">
            <SelectField
              label={words.from}
              value={form.hasFrom ? "day" : "always"}
              options={[
                ["always", words.fromAlways],
                ["day", words.fromDay],
              ]}
              change={(value) => set({ hasFrom: value === "day" })}
            />
            {form.hasFrom && (
              <TextField
                label={words.fromDay}
                type="date"
                value={form.from}
                change={(from) => set({ from })}
                error={text(shown.from)}
              />
            )}
          </div>
          <div class="setting-pair">
            <SelectField
              label={words.last}
              value={form.hasUntil ? "day" : "open"}
              options={[
                ["open", words.untilOpen],
                ["day", words.untilDay],
              ]}
              change={(value) => set({ hasUntil: value === "day" })}
            />
            {form.hasUntil && (
              <TextField
                label={words.untilDay}
                type="date"
                value={form.until}
                change={(until) => set({ until })}
                error={text(shown.until)}
              />
            )}
          </div>
        </fieldset>
        {form.item !== "fixed" && <WhereFields form={form} set={set} payments={payments} />}
        {!form.isNone && (
          <TextField
            label={words.name}
            value={form.name}
            change={(name) => set({ name })}
            hint={words.nameHint}
            max={60}
          />
        )}
        {asksSince(form, old) && (
          <>
            <Choice
              legend={words.change}
              value={form.change}
              options={[
                ["from", words.changeFrom],
                ["always", words.changeAlways],
              ]}
              change={(change) => set({ change })}
              error={text(shown.change)}
            />
            {form.change === "from" && (
              <TextField
                label={words.firstDay}
                type="date"
                value={form.changeFrom}
                change={(changeFrom) => set({ changeFrom })}
                error={text(shown.changeFrom)}
              />
            )}
          </>
        )}
        {sums.length > 0 && <Sums form={form} cost={cost} sums={sums} set={set} error={text(shown.sum)} />}
        {isComplete && (
          <output class="setting-reads">
            <small class="muted">{words.reads}</small>
            <p data-reads>
              {words.items[form.item]}.{" "}
              {sentenceOf(form.change === "from" && form.changeFrom ? { ...cost, from: form.changeFrom } : cost)}
            </p>
            {kept && <p class="muted">{words.keptMargin(amountsOf(kept))}</p>}
          </output>
        )}
        <div class="settings-actions">
          <button type="submit" class="primary">
            {words.take}
          </button>
          <button type="button" onClick={close}>
            {words.cancel}
          </button>
        </div>
      </form>
    </Sheet>
  );
}

interface PartProps {
  readonly form: Form;
  readonly set: (next: Partial<Form>) => void;
}

function Amounts({ form, set, fault }: PartProps & { readonly fault: (kind: AmountKind) => string | undefined }) {
  const words = said(COSTS);
  const kinds: readonly AmountKind[] = KINDS[form.item];
  return (
    <fieldset class="setting-group">
      <legend>{words.howMuch}</legend>
      {kinds.length > 1 && <small class="muted">{words.howMuchHint}</small>}
      <div class="setting-pair">
        {kinds.map((kind) =>
          kind === "charged" || kind === "none" ? null : (
            <TextField
              key={kind}
              name={kind}
              label={words.fields[kind]}
              value={form.amounts[kind] ?? ""}
              change={(value) => set({ amounts: { ...form.amounts, [kind]: value } })}
              isNumber
              error={fault(kind)}
            />
          ),
        )}
      </div>
      {kinds.includes("charged") && (
        <Tick label={words.charged} checked={form.isCharged} change={(isCharged) => set({ isCharged })} />
      )}
    </fieldset>
  );
}

function WhereFields({ form, set, payments }: PartProps & { readonly payments: readonly string[] }) {
  const words = said(COSTS);
  const stores = (organization.value?.connectors ?? []).filter(({ connector }) => STORES.includes(connector));
  const { where } = form;
  const limit = (key: keyof typeof where, value: string): void => {
    const { [key]: _, ...rest } = where;
    set({ where: value === "" ? rest : { ...rest, [key]: value } });
  };
  return (
    <fieldset class="setting-group">
      <legend>{words.which}</legend>
      <div class="setting-pair">
        {(stores.length > 1 || where.integrationId !== undefined) && (
          <SelectField
            label={words.store}
            value={where.integrationId ?? ""}
            options={[
              ["", words.allStores],
              ...stores.map(({ integrationId, name, connector }) => [integrationId, name ?? connector] as const),
            ]}
            change={(value) => limit("integrationId", value)}
          />
        )}
        <SelectField
          label={words.channel}
          value={where.channel ?? ""}
          options={[["", words.allChannels], ...Object.entries(t().channels)]}
          change={(value) => limit("channel", value)}
        />
        <TextField
          label={words.payment}
          value={paymentName(where.paymentMethod ?? "")}
          change={(value) => limit("paymentMethod", paymentIn(value))}
          list={payments}
          hint={words.paymentHint}
        />
      </div>
    </fieldset>
  );
}

interface SumsProps extends PartProps {
  readonly cost: Cost;
  readonly sums: readonly Cost[];
  readonly error: string | undefined;
}

/** Says that costs would add up, and lets the person decide: nothing adds up in silence. */
function Sums({ form, cost, sums, set, error }: SumsProps) {
  const words = said(COSTS);
  const from = form.change === "from" ? form.changeFrom : cost.from;
  const together = amountsOf({ amounts: sumOf([cost, ...sums]) });
  return (
    <div class="setting-warning" role="status" data-sums={sums.length}>
      <p>
        <strong>{words.sumsWith}</strong>
      </p>
      <ul>
        {sums.map((one) => (
          <li key={sentenceOf(one)}>
            {one.name && <strong>{one.name} · </strong>}
            {sentenceOf(one)}
          </li>
        ))}
      </ul>
      <p>{words.sums(together)}</p>
      <Choice
        legend={words.sumsQuestion}
        value={form.sum}
        options={[
          ["instead", from ? words.sumInstead(day(daysBefore(from, 1))) : words.sumReplace],
          ["both", words.sumBoth],
        ]}
        change={(sum) => set({ sum })}
        error={error}
      />
    </div>
  );
}

/** The amounts of each kind together. */
function sumOf(costs: readonly Cost[]): Cost["amounts"] {
  const sums: Partial<Record<AmountKind, number | true>> = {};
  for (const { amounts } of costs)
    for (const [kind, value] of Object.entries(amounts) as [AmountKind, number | true][]) {
      const before = sums[kind];
      sums[kind] =
        typeof value === "number" && typeof before === "number" ? Math.round((before + value) * 1e6) / 1e6 : value;
    }
  return sums;
}
