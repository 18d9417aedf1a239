import { expect } from "chai";
import { endpoints } from "../../src/core/endpoints/index.ts";
import { EngineAnswers } from "../../src/core/engine/answers.ts";
import type { Database } from "../../src/core/engine/database.ts";
import { openServing } from "../../src/core/engine/serving.ts";
import { foldersOf } from "../../src/core/files/organizationFolders.ts";
import { currentGeneration } from "../../src/core/marts/generations.ts";
import { validate } from "../../src/core/params/validate.ts";
import { AURORA, type DataFolder, NOW } from "../support/data.ts";
import { landedFixtures } from "../support/shared.ts";
import { asText, contextOf } from "../support/texts.ts";

const FEBRUARY = { startDate: "2025-02-01", endDate: "2025-02-28" };

/** Two that show the period before, and others with fewer fields, one of them without spend. */
const PATHS = [
  "/v1/profitability/cards",
  "/v1/acquisition/summary",
  "/v1/acquisition/new-customers",
  "/v1/profitability/orders",
  "/v1/profitability/metrics-evolution",
];

describe("The envelope of an answer", () => {
  let folder: DataFolder;
  let database: Database;
  let marts: string;

  before(async () => {
    folder = await landedFixtures();
    database = await openServing(folder.config, AURORA);
    marts = (await currentGeneration(foldersOf(folder.path, AURORA)))?.folder ?? "";
  });

  after(async () => {
    database?.close();
    await folder?.remove();
  });

  let state = "1";
  const newAnswers = (): EngineAnswers =>
    new EngineAnswers({
      database,
      generations: { current: async () => ({ folder: marts, state }), recheck: async () => false },
    });

  /** The answer, and whether its envelope was read. */
  async function ask(answers: EngineAnswers, path: string, sent: object): Promise<{ text: string; isRead: boolean }> {
    const endpoint = endpoints.find((one) => one.path === path) as (typeof endpoints)[number];
    const accepted = validate(endpoint, { ...sent, organizationId: AURORA }, new Date(NOW));
    const queries: string[] = [];
    const context = { ...contextOf(endpoint, AURORA, accepted), onQuery: (name: string) => void queries.push(name) };
    return { text: await asText(answers.answer(context)), isRead: queries.includes("envelope") };
  }

  it("is read once for the questions about the same days, and the same in all of them", async () => {
    const answers = newAnswers();

    for (const [no, path] of PATHS.entries()) {
      const { text, isRead } = await ask(answers, path, FEBRUARY);
      expect(isRead, path).to.equal(no === 0);
      expect(text, path).to.equal((await ask(newAnswers(), path, FEBRUARY)).text);
    }
  });

  it("is read again for other days, for another comparison, and from other files", async () => {
    const answers = newAnswers();
    const [cards = ""] = PATHS;
    const isRead = async (sent: object): Promise<boolean> => (await ask(answers, cards, sent)).isRead;
    expect([await isRead(FEBRUARY), await isRead(FEBRUARY)]).to.deep.equal([true, false]);
    expect(await isRead({ ...FEBRUARY, compare: "previous" })).to.equal(false);
    expect(await isRead({ ...FEBRUARY, compare: "year" })).to.equal(true);
    expect(await isRead({ ...FEBRUARY, endDate: "2025-02-27" })).to.equal(true);
    expect(await isRead({})).to.equal(true);
    state = "2";
    expect(await isRead(FEBRUARY)).to.equal(true);
  });
});
