import { ApiError, OperatorError } from "../../core/contract/error.ts";
import { CONNECTOR_KINDS } from "../../core/contract/record.ts";
import type { Organization } from "../../core/contract/settings.ts";
import { checkedText, readChecked } from "../../core/files/checked.ts";
import { writeNew } from "../../core/files/durable.ts";
import { foldersOf, type OrganizationFolders } from "../../core/files/organizationFolders.ts";
import { momentAt } from "../../core/marts/moments.ts";
import { everNamed } from "../../core/marts/pinFiles.ts";
import type { Children } from "../../core/processes/children.ts";
import { addMonths, dayIn } from "../../core/time/days.ts";
import { instantIn } from "../../core/time/zoned.ts";

/** How often it is looked whether a month is due. */
const LOOK_MS = 60_000;
/** After a failure a month is tried again after this time. */
const RETRY_MS = 10 * 60_000;

/** A month that is pinned as known at an instant of the month after it. */
interface Month {
  readonly organization: string;
  /** Such as `2026-04`. */
  readonly name: string;
  readonly at: string;
}

type PinMonth = (month: Month) => Promise<void>;

/** In a process of its own with a low priority. */
export const pinMonthInChild =
  (children: Children): PinMonth =>
  (month) =>
    pinInChild(children)({ ...month, by: "monthly" });

/** Pins what was known at an instant, in a process of its own. */
export const pinInChild =
  (children: Children) =>
  async ({ organization, name, at, by }: Month & { readonly by: "monthly" | "page" }): Promise<void> => {
    const args = ["pin-month", "--organization", organization, "--name", name, "--at", at, "--by", by];
    const { code, stderr } = await children.run(args);
    if (code !== 0) throw new OperatorError(stderr || `pin-month ended with ${code}`);
  };

interface Options {
  readonly dataDir: string;
  readonly organizations: () => Promise<readonly Organization[]>;
  readonly now: () => Date;
  readonly pin: PinMonth;
  readonly onPinned: (month: Month) => void;
  readonly onFailure: (organization: string, error: unknown) => void;
}

/** An organization that wants months pinned on a day. */
interface Wanting {
  readonly settings: Organization;
  readonly day: number;
}

/** Pins the months of organizations that want it [D83], also those of days on which no service ran. */
export class MonthlyPins {
  readonly #options: Options;
  readonly #failedAt = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: Options) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => void this.look(), LOOK_MS).unref();
    void this.look();
  }

  /** Resolves when what is due has been pinned. */
  async look(): Promise<void> {
    const wanting = await this.#wanting();
    // Noted at once, also while a month of another organization is being pinned.
    for (const { settings } of wanting) await this.#sinceOf(settings).catch((error) => this.#failed(settings, error));
    this.#looking ??= this.#pinDue(wanting).finally(() => {
      this.#looking = undefined;
    });
    await this.#looking;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#looking;
  }

  async #wanting(): Promise<Wanting[]> {
    const { organizations, onFailure } = this.#options;
    const all = await organizations().catch((error: unknown) => {
      onFailure("", error);
      return [];
    });
    return all.flatMap((settings) => (settings.pins ? [{ settings, day: settings.pins.monthly }] : []));
  }

  async #pinDue(wanting: readonly Wanting[]): Promise<void> {
    for (const one of wanting) await this.#pinMonths(one).catch((error) => this.#failed(one.settings, error));
  }

  async #pinMonths({ settings, day }: Wanting): Promise<void> {
    const { dataDir, now } = this.#options;
    const folders = foldersOf(dataDir, settings.organizationId);
    const since = await this.#sinceOf(settings);
    for (const month of monthsOf(settings, day, since, now().toISOString())) {
      if (this.#isStopped) return;
      if (await this.#isDue(folders, month)) await this.#pin(folders, month);
    }
  }

  #sinceOf({ organizationId }: Organization): Promise<string> {
    const { dataDir, now } = this.#options;
    return seenSince(foldersOf(dataDir, organizationId), now());
  }

  #failed({ organizationId }: Organization, error: unknown): void {
    this.#options.onFailure(organizationId, error);
  }

  async #isDue(folders: OrganizationFolders, { organization, name, at }: Month): Promise<boolean> {
    const failedAt = this.#failedAt.get(`${organization} ${name}`) ?? Number.NEGATIVE_INFINITY;
    if (performance.now() - failedAt < RETRY_MS) return false;
    if (await everNamed(folders, name)) return false;
    return momentAt(folders, at).then(() => true, notKnown);
  }

  async #pin(folders: OrganizationFolders, month: Month): Promise<void> {
    const { organization, name } = month;
    const { pin, onPinned, onFailure } = this.#options;
    try {
      await pin(month);
      onPinned(month);
    } catch (error) {
      // Another service was earlier, or the service ends.
      if (this.#isStopped || (await everNamed(folders, name))) return;
      this.#failedAt.set(`${organization} ${name}`, performance.now());
      onFailure(organization, error);
    }
  }
}

/** When a service first saw that months are pinned: those of days before are not. */
async function seenSince({ monthlyPins }: OrganizationFolders, now: Date): Promise<string> {
  const seen = async () => (await readChecked<{ readonly since: string }>(monthlyPins))?.since;
  const known = await seen();
  if (known !== undefined) return known;
  const since = now.toISOString();
  try {
    await writeNew(monthlyPins, checkedText({ since }), 0o600);
    return since;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const others = await seen();
    if (others === undefined) throw new Error(`${monthlyPins} is damaged: put it back from a backup, or remove it`);
    return others;
  }
}

/** The months whose day lies between two instants. */
function monthsOf(settings: Organization, day: number, since: string, until: string): Month[] {
  const zone = zoneOf(settings);
  const months: Month[] = [];
  const first = `${dayIn(zone, new Date(since)).slice(0, 7)}-01`;
  for (let no = 0; ; no++) {
    const month = addMonths(first, no);
    const at = instantIn(`${month.slice(0, 7)}-${String(day).padStart(2, "0")} 06:00`, zone) ?? "";
    if (at > until) return months;
    if (at >= since) months.push({ organization: settings.organizationId, name: addMonths(month, -1).slice(0, 7), at });
  }
}

/** The zone of the first store; UTC without one. */
const zoneOf = ({ integrations = [] }: Organization): string =>
  integrations.find(({ connector }) => CONNECTOR_KINDS[connector] === "store")?.timezone ?? "UTC";

/** Nothing was known then, or nothing has been derived yet. */
function notKnown(error: unknown): false {
  if (error instanceof ApiError) return false;
  throw error;
}
