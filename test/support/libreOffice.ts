import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

function find(): string | undefined {
  const folders = (process.env.PATH ?? "").split(path.delimiter);
  return folders
    .flatMap((folder) => ["soffice", "libreoffice"].map((name) => path.join(folder, name)))
    .find(isExecutable);
}

/** Whether LibreOffice Calc is on the `PATH`: `apt-get install --no-install-recommends libreoffice-calc`. */
export const isInstalled = (): boolean => find() !== undefined;

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The numbers of languages in LibreOffice's filter options. */
const LANGUAGES = { "pt-BR": 1046, en: 1033 } as const;
type Language = keyof typeof LANGUAGES;

/**
 * Options of its CSV filter for a file of a person: separator, quote, UTF-8, first line, no column types, the language
 * whose numbers and dates it recognizes, quoted cells are text, special numbers are detected.
 */
const csvOptions = (separator: string, language: Language): string =>
  `CSV:${separator.charCodeAt(0)},34,76,1,,${LANGUAGES[language]},true,true`;

/** LibreOffice with a profile of its own, which opens files and saves them in other formats. */
export class LibreOffice {
  readonly #program: string;
  readonly #folder: string;

  private constructor(program: string, folder: string) {
    this.#program = program;
    this.#folder = folder;
  }

  /** Fails if it is not installed. */
  static async open(): Promise<LibreOffice> {
    const program = find();
    if (!program) throw new Error("LibreOffice Calc is not installed");
    return new LibreOffice(program, await mkdtemp(path.join(tmpdir(), "lucra-office-")));
  }

  /** The files as flat OpenDocument XML, which has the type and the value of each cell. */
  async read(files: readonly string[], as: { separator: string; language: Language } | "workbook"): Promise<string[]> {
    const out = path.join(this.#folder, "out");
    await rm(out, { recursive: true, force: true });
    await mkdir(out);
    const filter = as === "workbook" ? [] : [`--infilter=${csvOptions(as.separator, as.language)}`];
    const profile = `-env:UserInstallation=${pathToFileURL(path.join(this.#folder, "profile"))}`;
    await run(this.#program, [profile, "--headless", ...filter, "--convert-to", "fods", "--outdir", out, ...files], {
      timeout: 300_000,
    });
    const made = await readdir(out);
    return files.map((file) => {
      const name = `${path.basename(file, path.extname(file))}.fods`;
      if (!made.includes(name)) throw new Error(`LibreOffice did not open ${file}`);
      return path.join(out, name);
    });
  }

  close(): Promise<void> {
    return rm(this.#folder, { recursive: true, force: true });
  }
}
