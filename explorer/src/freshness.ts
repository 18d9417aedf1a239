import { isNeverLate, STALE_DAYS } from "../../src/features/actions/advice.ts";
import { lengthOf } from "./days.ts";
import type { Organization } from "./session.ts";

export type Level = "bad" | "warn" | "good";

/** Data that are older than this, in days, make recent figures wrong, not only incomplete. */
const OLD_DAYS = 7;

/** The days from the newest day to the last that should have data; 0 if it is there. */
export const ageOf = (newestDay: string, yesterday: string): number => Math.max(0, lengthOf(newestDay, yesterday) - 1);

export const levelOf = (age: number): Level => (age > OLD_DAYS ? "bad" : age > STALE_DAYS ? "warn" : "good");

export type Verdict = { readonly level: Level } & (
  | { readonly name: "noIntegrations" | "nothingLanded" | "allWell" }
  | { readonly name: "wrong" | "notices" | "missing"; readonly count: number }
  | { readonly name: "stale"; readonly source: string; readonly days: number }
);

interface Known {
  readonly connectors: Organization["connectors"];
  readonly findings: readonly { readonly level: "wrong" | "notice" }[];
  readonly yesterday: string;
}

/** What is to be said of the data as a whole, the gravest first: a lack of data is no absence of problems. */
export function verdictOn({ connectors, findings, yesterday }: Known): Verdict {
  if (connectors.length === 0) return { level: "bad", name: "noIntegrations" };
  const silent = connectors.filter(({ lastLandedAt }) => lastLandedAt === null).length;
  if (silent === connectors.length) return { level: "bad", name: "nothingLanded" };
  const wrong = findings.filter(({ level }) => level === "wrong").length;
  if (wrong > 0) return { level: "bad", name: "wrong", count: wrong };
  const [oldest] = connectors
    .filter((one) => !isNeverLate(one))
    .flatMap(({ name, connector, newestDay }) =>
      newestDay === null ? [] : [{ source: name ?? connector, days: ageOf(newestDay, yesterday) }],
    )
    .toSorted((a, b) => b.days - a.days);
  const level = oldest ? levelOf(oldest.days) : "good";
  if (oldest && level !== "good") return { level, name: "stale", ...oldest };
  if (silent > 0) return { level: "warn", name: "missing", count: silent };
  if (findings.length > 0) return { level: "warn", name: "notices", count: findings.length };
  return { level: "good", name: "allWell" };
}
