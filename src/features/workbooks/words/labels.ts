import LABELS from "./labels.json" with { type: "json" };

/** The label of a field: its heading in tables, and its name in the Explorer. */
export type Label = (typeof LABELS)[Labelled];

type Labelled = keyof typeof LABELS;

/** The label of one name; undefined if it has none. */
export const labelOf = (name: string): Label | undefined =>
  Object.hasOwn(LABELS, name) ? LABELS[name as Labelled] : undefined;

/** All labels in a language. */
export const labelsIn = (locale: keyof Label): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(LABELS).map(([name, label]) => [name, label[locale]]));
