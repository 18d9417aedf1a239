import { type Column, Table } from "../../components/Table.tsx";
import { figure, type Unit } from "../../format.ts";
import { t } from "../../text.ts";

interface StepRow {
  readonly key: string;
  readonly name: string;
  readonly values: readonly (number | null)[];
}

/** A row per cohort, a column per step. */
export function StepTable(props: { rows: readonly StepRow[]; unit: Unit; caption: string; isFromZero?: boolean }) {
  const { rows, unit, caption, isFromZero } = props;
  const most = Math.max(...rows.map(({ values }) => values.length), 0);
  const columns: Column<StepRow>[] = [
    { key: "cohort", label: t().cohort.cohort, value: ({ key }) => key, show: ({ name }) => name },
    ...Array.from(
      { length: most },
      (_, n): Column<StepRow> => ({
        key: String(n),
        label: String(isFromZero ? n : n + 1),
        unit,
        sortable: false,
        value: ({ values }) => values[n],
        show: ({ values }) => (values[n] === undefined ? "" : figure(values[n], unit)),
      }),
    ),
  ];
  return <Table caption={caption} rows={rows} keyOf={({ key }) => key} columns={columns} />;
}
