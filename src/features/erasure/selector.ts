import { documentOf, emailOf, isAlias, isFiller, phoneOf } from "./erased.ts";
import type { Selector } from "./targets.ts";

/** By what a customer is named. */
export const NAMED_BY = ["email", "order", "customer", "phone", "document"] as const;
export type NamedBy = (typeof NAMED_BY)[number];

/** Why a value names nobody. `many`: it stands for many people. */
export type NamingFault = "many" | "filler" | "empty" | "shortPhone" | "shortDocument";

/** Why a value does not name one customer; undefined if it does. */
export function faultIn(by: NamedBy, value: string): NamingFault | undefined {
  if (value.trim() === "") return by === "customer" ? "filler" : "empty";
  if (by === "email" && isAlias(emailOf(value))) return "many";
  if (by === "customer" && isFiller(value)) return "filler";
  if (by === "phone" && phoneOf(value).length < 8) return "shortPhone";
  if (by === "document" && documentOf(value).length < 5) return "shortDocument";
  return undefined;
}

export const selectorOf = (by: NamedBy, value: string, isWith = false): Selector => ({ [by]: value, with: isWith });
