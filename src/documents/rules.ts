/** A rule of `docs/rules.md`, cited as `[D6]` or `[V5.2]`. */
const CITATION = /\[([DV]\d+(?:\.\d+)?)\]/g;

/** The rules that a text cites, each once, in their order. */
export function citedIn(text: string): string[] {
  const rules = new Set([...text.matchAll(CITATION)].map(([, rule = ""]) => rule));
  return [...rules].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
}

/** The anchor of a rule: `d6`, `v5-2`. */
export const anchorOf = (rule: string): string => rule.toLowerCase().replace(".", "-");

/** Link definitions for the citations of a Markdown page; `page`: relative path of the rules. */
export const linksTo = (rules: readonly string[], page: string): string =>
  rules.map((rule) => `[${rule}]: ${page}#${anchorOf(rule)}`).join("\n");

/** The text of a rule, from its page. */
export function textOfRule(page: string, rule: string): string {
  const after = page.split(`<a id="${anchorOf(rule)}"></a>`)[1];
  if (after === undefined) throw new Error(`docs/rules.md has no rule ${rule}`);
  return (after.split('<a id="')[0] ?? "").replace(/^\s*#+ .*\n/, "").trim();
}
