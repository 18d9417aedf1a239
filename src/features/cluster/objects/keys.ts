/** The keys of the objects below the prefix. Ids come from settings or from requests that were checked against them. */
export const keys = {
  mart: (organization: string): string => `marts/organization_id=${organization}/`,
  /** The generation in force. */
  pointer: (organization: string): string => `${keys.mart(organization)}current`,
  /** The description of a generation or a state, by its name and checksum: two writers may give the same number. */
  manifest: (organization: string, { name, checksum }: { readonly name: string; readonly checksum: string }): string =>
    `${keys.mart(organization)}${name}.${checksum.slice(0, 32)}.json`,
  /** What names earlier states, and which of them are kept. */
  past: (organization: string): string => `${keys.mart(organization)}past`,
  /** A text of that, by its content. */
  parts: (organization: string): string => `${keys.mart(organization)}past/`,
  part: (organization: string, sha256: string): string => `${keys.parts(organization)}${sha256}`,
  /** A file of generations and states, by its content: they share files that did not change. */
  files: (organization: string): string => `${keys.mart(organization)}files/`,
  file: (organization: string, sha256: string): string => `${keys.files(organization)}${sha256}`,
  /** Settings, credentials and share links, by their path in the data folder. */
  documents: "documents/",
  document: (name: string): string => `documents/${name}`,
} as const;

/** Whether a key is that of a description of a generation, or of a state. */
export function describes(what: "gen" | "state", organization: string, key: string): boolean {
  const name = key.slice(keys.mart(organization).length);
  return name.startsWith(`${what}=`) && /^[a-z]+=[0-9a-f]+\.[0-9a-f]{32}\.json$/.test(name);
}
