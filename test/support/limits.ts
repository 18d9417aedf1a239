import { expect } from "chai";
import { land } from "./landing.ts";

export const ROWS = "'o' || range as order_id, 1.5 as value, timestamp '2025-01-01' as creation_date";

export async function refusal(name: string, content: string | Buffer): Promise<string> {
  const { rows, outcome } = await land("storea", "orders", { [name]: content });
  expect([rows.length, outcome.landed, outcome.files]).to.deep.equal([0, 0, 0]);
  return outcome.refused.map(({ reason }) => reason).join();
}

export async function landed(content: string | Buffer): Promise<number> {
  const { outcome } = await land("storea", "orders", { file: content });
  expect([outcome.refused, outcome.rejected]).to.deep.equal([[], 0]);
  return outcome.landed;
}
