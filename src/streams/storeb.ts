import type { StreamSet } from "../contract/stream.ts";

export const storeb: readonly StreamSet[] = [
  {
    tool: "airbyte",
    record: "storeb/orders",
    root: {
      name: "orders",
      key: "id",
      children: [{ name: "order_refunds", key: "id", parent: "order_id", into: "refunds" }],
    },
  },
];
