import type { Answer } from "../../answer.ts";
import type { Statement as Answered } from "../../answers.ts";
import type { Query } from "../../api.ts";
import { type Step, Waterfall } from "../../charts/Waterfall.tsx";
import { Card } from "../../components/Card.tsx";
import { hasLacks } from "../../components/Lacking.tsx";
import { Table } from "../../components/Table.tsx";
import { openExplanation } from "../../explain.ts";
import { figure } from "../../format.ts";
import { t } from "../../text.ts";
import { Missing } from "./Missing.tsx";
import { sentenceOf, stepsOf } from "./statementText.ts";
import { UnknownGoods } from "./UnknownGoods.tsx";

interface Props {
  readonly query: Query;
  readonly answer: Answer<Answered>;
}

/** The way from what customers paid to what the shop has left, and what is not known of it. */
export function Statement({ query, answer }: Props) {
  const words = t().cockpit;
  const whole = { ...query, params: { ...query.params, granularity: undefined } };
  return (
    <Card
      name="statement"
      title={words.statement}
      query={query}
      answer={answer}
      whole={whole}
      span={6}
      table={(statement) => <Lines steps={stepsOf(statement)} />}
    >
      {(statement) => (
        <>
          <p class="sentence" data-part="left">
            {sentenceOf(statement)}
          </p>
          {statement.missing.some(({ item }) => item === "goods") && <UnknownGoods statement={statement} of={query} />}
          <Waterfall
            label={words.statement}
            unit="currency"
            steps={stepsOf(statement)}
            isJudged={!hasLacks(statement)}
            onPick={({ key }) =>
              openExplanation({ endpoint: query.path, params: query.params, figure: `statement.${key}.amount` })
            }
          />
          <Missing missing={statement.missing} />
        </>
      )}
    </Card>
  );
}

function Lines({ steps }: { steps: readonly Step[] }) {
  const words = t().cockpit;
  return (
    <Table
      caption={words.statement}
      rows={steps}
      keyOf={({ key }) => key}
      columns={[
        { key: "label", label: words.name, value: ({ label }) => label },
        {
          key: "value",
          label: t().metric.amount ?? "",
          unit: "currency",
          value: ({ value }) => value,
          show: ({ value }) => figure(value, "currency"),
          reason: ({ note }) => note,
        },
      ]}
    />
  );
}
