/** The keys of the objects below the prefix. Ids come from settings or from requests that were checked against them. */
export const keys = {
  mart: (organization: string): string => `marts/organization_id=${organization}/`,
  /** The generation in force. */
  pointer: (organization: string): string => `${keys.mart(organization)}current`,
  /** The description of a generation, by its name and checksum: two writers may give the same number. */
  manifest: (organization: string, { name, checksum }: { readonly name: string; readonly checksum: string }): string =>
    `${keys.mart(organization)}${name}.${checksum.slice(0, 32)}.json`,
  /** A file of generations, by its content: generations share files that did not change. */
  files: (organization: string): string => `${keys.mart(organization)}files/`,
  file: (organization: string, sha256: string): string => `${keys.files(organization)}${sha256}`,
  /** Settings, credentials and share links, by their path in the data folder. */
  documents: "documents/",
  document: (name: string): string => `documents/${name}`,
} as const;

/** The name and the beginning of the checksum in the key of a description; undefined for other objects. */
export function manifestIn(organization: string, key: string): string | undefined {
  const name = key.slice(keys.mart(organization).length);
  return /^gen=\d+\.[0-9a-f]{32}\.json$/.test(name) ? name : undefined;
}
