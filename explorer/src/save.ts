/** Makes a file and saves it; rejects with why not. */
export type Saving = () => Promise<void>;

/** A file for the browser to save. */
export function save(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // By then the browser has started to read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
