import type { Answer } from "../../answer.ts";
import type { Series as Rows, Source } from "../../answers.ts";
import { Card } from "../../components/Card.tsx";
import { Table } from "../../components/Table.tsx";
import { set } from "../../route.ts";
import { t } from "../../text.ts";
import { type Asked, noChange } from "./asked.ts";
import { columnsOf } from "./columns.tsx";
import { channelName } from "./names.ts";
import { compared, keyOf, totalOf } from "./sources.ts";

export interface Props {
  readonly asked: Asked;
  readonly answer: Answer<Rows<Source>>;
  /** The rows of the compared period. */
  readonly before: readonly Source[] | undefined;
}

export function Channels({ asked, answer, before }: Props) {
  const query = asked.now("channels");
  const words = t().acquisition;
  return (
    <Card
      name="channels"
      title={words.channels}
      question={words.channelsQuestion}
      query={query}
      answer={answer}
      note={noChange(asked)}
    >
      {({ data }) => (
        <Table
          caption={words.channels}
          rows={compared(data, before)}
          keyOf={({ now }) => keyOf(now)}
          initially={{ by: "investment", descending: true }}
          remember="channels"
          total={{ name: t().table.total, row: totalRow(data, before) }}
          onPick={({ now }) => set({ channel: keyOf(now) })}
          columns={[
            { key: "channel", label: words.channel, value: ({ now }) => channelName(now.channel ?? "") },
            ...columnsOf(query.path, asked.compared?.isComplete ?? false),
          ]}
        />
      )}
    </Card>
  );
}

export const totalRow = (now: readonly Source[], before: readonly Source[] | undefined) => ({
  now: totalOf(now),
  before: before && totalOf(before),
});
