import { commandIn, type Said } from "./command.ts";
import { DataFolder } from "./data.ts";
import { pinnedShop, revenuesAt } from "./histories.ts";

export const END = "2025-03-10T10:00:00.000Z";

/** A copy of the shop with two landings for each test, and the commands of pins on it, at `END`. */
export class PinnedShop {
  #sound: DataFolder | undefined;
  #data: DataFolder | undefined;

  /** In a suite: from now on each of its tests has a copy. */
  constructor() {
    before(async () => {
      this.#sound = await pinnedShop();
    });
    after(() => this.#sound?.remove());
    beforeEach(async () => {
      this.#data = await DataFolder.copyOf(this.#sound as DataFolder);
    });
    afterEach(() => this.#data?.remove());
  }

  get data(): DataFolder {
    return this.#data as DataFolder;
  }

  lucraAt = (now: string, ...args: string[]): Promise<Said> =>
    commandIn(this.data, { LUCRA_NOW: now, LUCRA_THREADS: "1" }, args);

  pins = (...args: string[]): Promise<Said> => this.lucraAt(END, "pins", ...args);

  create = (name: string, ...more: string[]): Promise<Said> =>
    this.pins("create", "--organization", "shop", "--name", name, ...more);

  revenues = (...instants: string[]): Promise<unknown[]> => revenuesAt(this.data, END, instants);

  revenue = async (knownAt: string): Promise<unknown> => (await this.revenues(knownAt))[0];
}
