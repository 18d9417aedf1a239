import type { Attributes, Names } from "../core/contract/attributes.ts";

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A choice by the name of an attribute. */
const choice = (of: string, branches: readonly (readonly [name: string, sql: string])[], otherwise: string): string =>
  [
    `    case ${of}`,
    ...branches.map(([name, sql]) => `        when '${name}' then ${sql}`),
    `        else ${otherwise}`,
    "    end",
  ].join("\n");

const list = (names: readonly string[]): string => `[${names.map(quoted).join(", ")}]`;

/** The query of the names of an attribute's values, as SQL of a text. */
function namesSql({ from, key, name, shownKey = key, source = "null::varchar" }: Names, where = ""): string {
  const columns = `select ${source} as source, ${key} as value_key, ${shownKey} as shown_key`;
  return `${quoted(columns)}\n            || ${quoted(`, ${name} as label from ${`${from} ${where}`.trim()}`)}`;
}

/** `sql/setup/attributes.sql`. */
export function attributesSql({ orders, lines }: Attributes): string {
  const ofOrders = Object.entries(orders);
  const ofLines = Object.entries(lines);
  const all = [...ofOrders, ...ofLines];
  const ofCohorts = all.flatMap(([name, { cohorts }]) => (cohorts === undefined ? [] : [[cohorts, name] as const]));
  const having = (has: (attribute: { isSummed?: true; hasSpend?: true }) => unknown): string =>
    list(all.filter(([, attribute]) => has(attribute)).map(([name]) => name));
  return `-- Attributes by which figures are broken down [D30], [D87], [D89].
-- Written by \`npm run documents\` from src/core/contract/attributes.ts.

-- The name of a value that no relation names.
create macro attribute_label(attribute, value_key) as
${choice(
  "attribute",
  all.flatMap(([name, { label }]) =>
    label === undefined ? [] : [[name, label.replaceAll("{}", "value_key")] as const],
  ),
  "value_key",
)};

-- The attribute that \`breakBy\` names so.
create macro cohort_attribute(name) as
${choice(
  "name",
  ofCohorts.map(([cohorts, name]) => [cohorts, quoted(name)]),
  "unknown_choice('break_by', name)",
)};

-- The value of an attribute, in SQL over the columns of orders, of sums of cohorts or of first_lines; of customers in a period over
-- those of valued_orders.
create macro attribute_sql(attribute) as
${choice(
  "attribute",
  all.map(([name, { key }]) => [name, quoted(key.replaceAll("{}", ""))]),
  "unknown_choice('attribute', attribute)",
)};

-- What distinguishes its values with the same key, likewise.
create macro attribute_source_sql(attribute) as
${choice(
  "attribute",
  all.flatMap(([name, { source }]) =>
    source === undefined ? [] : [[name, quoted(source.replaceAll("{}", ""))] as const],
  ),
  "'null::varchar'",
)};

-- The names of its values. A value that is not there has the name of attribute_label.
-- Grain: one row per value and source.
create macro attribute_names(attribute) as table
    from query(
${choice(
  "attribute",
  all.flatMap(([name, { names }]) => (names === undefined ? [] : [[name, namesSql(names)] as const])),
  namesSql({ from: "organization", key: "null::varchar", name: "null::varchar" }, "where false"),
).replaceAll(/^/gm, "    ")}
    );

-- Those of orders, those that the daily sums of cohorts have, those with spend of their own, those of lines, and those that only purchases
-- of products have.
create macro attributes_of_orders() as [
${ofOrders.map(([name]) => `    ${quoted(name)}`).join(",\n")}
];
create macro attributes_of_sums() as ${having(({ isSummed }) => isSummed)};
create macro attributes_with_spend() as ${having(({ hasSpend }) => hasSpend)};
create macro attributes_of_lines() as ${list(ofLines.map(([name]) => name))};
create macro attributes_of_products() as ${list(ofLines.filter(([, { isOfAll }]) => !isOfAll).map(([name]) => name))};
`;
}
