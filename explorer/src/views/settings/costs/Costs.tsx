import { useState } from "preact/hooks";
import { Sheet } from "../../../components/Modal.tsx";
import { today } from "../../../days.ts";
import { organization } from "../../../session.ts";
import { said } from "../../../text.ts";
import { costs as COSTS } from "../../../words/later/costs.ts";
import { useDraft } from "../draft.ts";
import { Failed } from "../failed.tsx";
import { TextField } from "../fields.tsx";
import { mergedList } from "../merged.ts";
import { SaveBar } from "../SaveBar.tsx";
import { CostForm } from "./CostForm.tsx";
import { CostList } from "./CostList.tsx";
import type { Form } from "./form.ts";
import { MarginCard } from "./MarginCard.tsx";
import { type MarginValue, useMarginDraft } from "./marginDraft.ts";
import {
  allRulesOf,
  type Cost,
  type CostItem,
  type CostRule,
  costsOf,
  endedOn,
  type Margin,
  replaced,
} from "./rules.ts";
import { amountsOf, paymentName, sentenceOf } from "./sentence.ts";
import { Tables } from "./Tables.tsx";
import { Unknown } from "./Unknown.tsx";

/** What sales and months cost: rules by day, the margin, tables, and what is still unknown. */
export function Costs() {
  const words = said(COSTS);
  const rules = useDraft<readonly CostRule[]>("costs", { empty: [], merged: mergedList });
  const margin = useMarginDraft();
  const [opened, setOpened] = useState<{ form: Form; old?: Cost | undefined } | undefined>();
  const [ending, setEnding] = useState<Cost | undefined>();
  const failure = [rules, margin].find(({ base, failure: found }) => !base && found)?.failure;
  if (failure) return <Failed failure={failure} retry={() => void Promise.all([rules.reload(), margin.reload()])} />;
  if (!rules.now || !margin.now) return <p class="skeleton skeleton-large" />;
  const costs = costsOf(rules.now);
  const change = (next: readonly Cost[]): void => rules.change(allRulesOf(next));
  const none = (item: CostItem): void => change([...costs, { item, amounts: { none: true } }]);
  const isStart = costs.length === 0 && rules.base?.length === 0 && margin.base?.margin === null;
  const marginCard = (
    <MarginCard
      key={`margin ${margin.isChanged ? "own" : JSON.stringify(margin.base)}`}
      margin={margin.now.margin}
      change={(next) => margin.change({ margin: next })}
      isStart={isStart}
    />
  );
  return (
    <>
      {isStart && marginCard}
      <Unknown fill={(form) => setOpened({ form })} none={none} costs={costs} />
      <CostList
        costs={costs}
        margin={margin.now.margin}
        open={(form, old) => setOpened({ form, old })}
        end={setEnding}
        remove={(cost) => change(replaced(costs, cost))}
        none={none}
      />
      {!isStart && marginCard}
      <Tables />
      <SaveBar
        hasEffect
        sections={[
          {
            name: "costs",
            title: words.listTitle,
            draft: rules,
            describe: (theirs) => <Sentences rules={theirs as readonly CostRule[]} />,
          },
          {
            name: "margin",
            title: words.marginTitle,
            draft: margin,
            describe: (theirs) => <p>{marginText((theirs as MarginValue).margin)}</p>,
          },
        ]}
      />
      {opened && (
        <CostForm
          initially={opened.form}
          old={opened.old}
          costs={costs}
          margin={rules.base?.some(({ item }) => item === opened.form.item) ? null : margin.now.margin}
          payments={paymentsOf(costs)}
          take={(next) => {
            change(next);
            setOpened(undefined);
          }}
          close={() => setOpened(undefined)}
        />
      )}
      {ending && (
        <EndForm
          cost={ending}
          title={words.endTitle(words.items[ending.item])}
          take={(until) => {
            change(replaced(costs, ending, endedOn(ending, until)));
            setEnding(undefined);
          }}
          close={() => setEnding(undefined)}
        />
      )}
    </>
  );
}

/** The ways of payment that are known: those of the rules, and the usual ones as stores write them. */
const paymentsOf = (costs: readonly Cost[]): readonly string[] => [
  ...new Set(
    [...costs.flatMap(({ where }) => where?.paymentMethod ?? []), "Pix", ...Object.keys(said(COSTS).payments)].map(
      paymentName,
    ),
  ),
];

function Sentences({ rules }: { rules: readonly CostRule[] }) {
  const words = said(COSTS);
  return (
    <ul>
      {costsOf(rules).map((cost) => (
        <li key={`${cost.item} ${sentenceOf(cost)} ${cost.name}`}>
          {words.items[cost.item]}. {sentenceOf(cost)}
        </li>
      ))}
    </ul>
  );
}

function marginText(margin: Margin | null): string {
  const words = said(COSTS);
  if (margin === null) return words.marginNone;
  if ("percent" in margin) return amountsOf({ amounts: { percentOfRevenue: margin.percent } });
  return Object.entries(margin.items)
    .map(
      ([name, item]) =>
        `${words.startFields[name as keyof typeof words.startFields]}: ${item === "orders" ? words.startOrders : item?.percent}`,
    )
    .join("; ");
}

interface EndProps {
  readonly cost: Cost;
  readonly title: string;
  readonly take: (until: string) => void;
  readonly close: () => void;
}

function EndForm({ cost, title, take, close }: EndProps) {
  const words = said(COSTS);
  const [until, setUntil] = useState(today(organization.value?.timezones[0]));
  const isBackwards = cost.from !== undefined && until < cost.from;
  return (
    <Sheet title={title} close={close}>
      <form
        class="setting-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (until && !isBackwards) take(until);
        }}
      >
        <p>{sentenceOf(cost)}</p>
        <TextField
          label={words.endOn}
          type="date"
          value={until}
          change={setUntil}
          error={!until ? words.errors.day : isBackwards ? words.errors.backwards : undefined}
        />
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
