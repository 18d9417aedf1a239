import { now } from "../../days.ts";
import { route, writeAddress } from "../../route.ts";
import { organization } from "../../session.ts";
import { lastDay } from "../../stores.ts";

// Which days a page asks for depends on the day it is opened, and on how far the data go. A share answers what its page asked
// for when it was shared, so that both are kept with it.

const FACTS = { now: "sharedAt", firstDay: "firstDay", lastDay: "lastDay" } as const;

/** The page that is shown, as a share keeps it. */
export function shownPage(): string {
  const { view, args } = route.peek();
  const { known: _, lang: __, at: ___, explain: ____, ...shown } = args;
  const facts = {
    [FACTS.now]: new Date(now()).toISOString(),
    [FACTS.firstDay]: organization.peek()?.firstDay ?? "",
    [FACTS.lastDay]: lastDay(),
  };
  return writeAddress({ organization: "", view, section: "", args: { ...shown, ...facts } }).replace(/^#\//, "");
}

/** The page that a share keeps, without the facts that are kept with it. */
export function shownBy(kept: string) {
  const [view = "", query = ""] = kept.split("?");
  const args = new URLSearchParams(query);
  const fact = (name: string): string | undefined => {
    const value = args.get(name) ?? undefined;
    args.delete(name);
    return value;
  };
  const at = Date.parse(fact(FACTS.now) ?? "");
  const [firstDay = null, last = null] = [fact(FACTS.firstDay), fact(FACTS.lastDay)];
  return { page: `${view}?${args}`, now: Number.isNaN(at) ? undefined : at, firstDay, lastDay: last };
}
