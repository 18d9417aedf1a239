import { expect } from "chai";
import { answerFields } from "../../src/core/contract/answer.ts";
import { currency, object } from "../../src/core/contract/field.ts";
import { LINES } from "../../src/core/endpoints/profit.ts";
import { definitionsOf } from "../../src/features/mcp/definitions.ts";
import { endpointOf } from "../../src/features/mcp/sections.ts";

describe("The definitions of a result", () => {
  it("have one for figures of neighboring objects that differ only in the objects' names", () => {
    const lines = ["goods", "media"].map((line): [string, object] => [line, { amount: 1, before: 2 }]);
    const fields = Object.fromEntries(
      ["goods", "media"].map((line) => [
        line,
        object(
          { amount: currency(`Cost of ${line}.`), before: currency("Its earlier value.", `previous.${line}`) },
          "",
        ),
      ]),
    );
    expect(
      definitionsOf("costs", { lines: object(fields, "") }, { lines: Object.fromEntries(lines) }, "BRL"),
    ).to.deep.equal({
      "costs.lines.*.amount": "[BRL] Cost of *.",
      "costs.lines.*.before": "[BRL] Its earlier value. = previous.*.",
    });
  });

  it("of the statement's changes are two, and its lines have their own", () => {
    const line = { amount: 1, share: 1, coverage: null };
    const of = (value: object): object => Object.fromEntries(Object.keys(LINES).map((name) => [name, value]));
    const fields = answerFields(endpointOf("/v1/profit/statement"));
    const answer = { statement: of(line), changes: of({ amount: 0, pct: 0 }) };
    const paths = Object.keys(definitionsOf("profit", fields, answer));
    expect(paths.filter((path) => path.startsWith("profit.changes."))).to.deep.equal([
      "profit.changes.*.amount",
      "profit.changes.*.pct",
    ]);
    expect(paths).to.include.members(Object.keys(LINES).map((name) => `profit.statement.${name}.amount`));
  });
});
