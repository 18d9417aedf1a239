/** The texts of a part of the page in both languages. The type makes the second language complete. */
export interface Dictionary<Text extends object> {
  readonly pt: Text;
  readonly en: Text;
}

/** Texts keep the literal names of their entries, but not their literal values. */
type Widened<T> = T extends string
  ? string
  : T extends readonly string[]
    ? readonly string[]
    : T extends (...values: infer Values) => string
      ? (...values: Values) => string
      : string extends keyof T
        ? Readonly<Record<string, string>>
        : { readonly [Name in keyof T]: Widened<T[Name]> };

export const dictionary = <Text extends object>(pt: Text, en: Widened<Text>): Dictionary<Widened<Text>> => ({
  pt: pt as unknown as Widened<Text>,
  en,
});

/**
 * The same texts without inherited names: the page looks texts up by names that come from data and addresses, and
 * `constructor` is none of them.
 */
export function bare<T>(texts: T): T {
  if (typeof texts !== "object" || texts === null || Array.isArray(texts)) return texts;
  const entries = Object.entries(texts).map(([name, text]) => [name, bare(text)] as const);
  return Object.assign(Object.create(null), Object.fromEntries(entries)) as T;
}
