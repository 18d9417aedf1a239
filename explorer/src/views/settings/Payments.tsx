import { useState } from "preact/hooks";
import { wordsOf } from "../../components/Controls.tsx";
import { EmptySmall } from "../../components/EmptySmall.tsx";
import { figure } from "../../format.ts";
import { ofOrganization } from "../../platform/request.ts";
import { useResource } from "../../platform/use.ts";
import { said, t } from "../../text.ts";
import { paymentNames as PAYMENTS } from "../../words/later/payments.ts";
import { type Draft, useDraft } from "./draft.ts";
import { Failed } from "./failed.tsx";
import { Part, SelectField, TextField } from "./fields.tsx";
import { mergedList } from "./merged.ts";
import { SaveBar } from "./SaveBar.tsx";

interface Rule {
  readonly name: string;
  readonly group: string;
}

type Rules = Draft<readonly Rule[]>;

interface Unknown {
  readonly integration: string | null;
  readonly integrationId: string;
  readonly payment: string;
  readonly orders: number;
  readonly revenue: number | string;
}

const isSame = (one: string, other: string): boolean =>
  one.trim().toLocaleLowerCase() === other.trim().toLocaleLowerCase();

/** Which way of paying the names of payments are: first those that nobody knows [D88]. */
export function Payments() {
  const draft = useDraft<readonly Rule[]>("payments", { empty: [], merged: mergedList });
  const { data, failure, reload } = useResource<{ data: readonly Unknown[] }>(ofOrganization("payments"));
  const found = draft.failure && !draft.base ? draft.failure : data ? undefined : failure;
  if (found) return <Failed failure={found} retry={() => void Promise.all([draft.reload(), reload()])} />;
  const { now } = draft;
  if (!now || !data) return <p class="skeleton skeleton-large" />;
  return (
    <>
      <UnknownNames unknown={data.data} rules={now} change={draft.change} />
      <Known rules={now} change={draft.change} />
      <SaveBar
        sections={[
          {
            name: "payments",
            draft,
            describe: (theirs) => (
              <ul>
                {(theirs as readonly Rule[]).map(({ name, group }) => (
                  <li key={name}>
                    {name}: {t().paymentGroups[group]}
                  </li>
                ))}
              </ul>
            ),
          },
        ]}
      />
    </>
  );
}

interface ListProps {
  readonly rules: readonly Rule[];
  readonly change: Rules["change"];
}

/** The names by their revenue. One that was given a group stays until it is saved, so that it can be taken back. */
function UnknownNames({ unknown, rules, change }: ListProps & { readonly unknown: readonly Unknown[] }) {
  const words = said(PAYMENTS);
  const groupOf = (payment: string): string => rules.find(({ name }) => isSame(name, payment))?.group ?? "";
  const choose = (payment: string, group: string): void => {
    const others = rules.filter(({ name }) => !isSame(name, payment));
    change(group === "" ? others : [...others, { name: payment, group }]);
  };
  return (
    <Part name="payments" title={words.unknown} lead={words.unknownLead}>
      {unknown.length === 0 ? (
        <EmptySmall>{words.none}</EmptySmall>
      ) : (
        <div class="effect-table">
          <table class="events">
            <thead>
              <tr>
                <th scope="col">{words.name}</th>
                <th scope="col" class="is-wide">
                  {words.from}
                </th>
                <th scope="col">{words.orders}</th>
                <th scope="col">{words.revenue}</th>
                <th scope="col">{words.group}</th>
              </tr>
            </thead>
            <tbody>
              {unknown.map(({ integration, integrationId, payment, orders, revenue }) => (
                <tr key={`${integrationId} ${payment}`} data-payment={payment}>
                  <th scope="row">{payment}</th>
                  <td class="is-wide">{integration}</td>
                  <td>{figure(Number(orders), "count")}</td>
                  <td>{figure(Number(revenue), "currency")}</td>
                  <td>
                    <select
                      aria-label={words.groupOf(payment)}
                      value={groupOf(payment)}
                      onChange={({ currentTarget }) => choose(payment, currentTarget.value)}
                    >
                      <option value="">{words.choose}</option>
                      {wordsOf(t().paymentGroups).map(([group, text]) => (
                        <option key={group} value={group}>
                          {text}
                        </option>
                      ))}
                    </select>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Part>
  );
}

/** The rules of the settings, and a further one. */
function Known({ rules, change }: ListProps) {
  const words = said(PAYMENTS);
  const [name, setName] = useState("");
  const [group, setGroup] = useState("credit_card");
  const [fault, setFault] = useState<string | undefined>();
  const add = (event: Event): void => {
    event.preventDefault();
    const isTwice = rules.some((rule) => isSame(rule.name, name));
    const found = name.trim() === "" ? words.needed : isTwice ? words.twice : undefined;
    setFault(found);
    if (found !== undefined) return;
    change([...rules, { name: name.trim(), group }]);
    setName("");
  };
  return (
    <Part name="paymentRules" title={words.known} lead={words.knownLead}>
      {rules.length === 0 && <EmptySmall>{words.noRules}</EmptySmall>}
      <ul class="setting-rows">
        {rules.map((rule) => (
          <li key={rule.name} data-rule={rule.name}>
            <div>
              <strong>{rule.name}</strong> {t().paymentGroups[rule.group]}
            </div>
            <button
              type="button"
              class="link"
              aria-label={words.removeOf(rule.name)}
              onClick={() => change(rules.filter((one) => one !== rule))}
            >
              {words.remove}
            </button>
          </li>
        ))}
      </ul>
      <form class="setting-form" onSubmit={add} data-form="payment">
        <h4>{words.add}</h4>
        <div class="setting-pair">
          <TextField label={words.name} value={name} change={setName} max={200} hint={words.hint} error={fault} />
          <SelectField label={words.group} value={group} options={wordsOf(t().paymentGroups)} change={setGroup} />
        </div>
        <div class="settings-actions">
          <button type="submit">{words.addNow}</button>
        </div>
      </form>
    </Part>
  );
}
