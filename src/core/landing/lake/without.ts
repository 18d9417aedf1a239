import path from "node:path";
import { OperatorError } from "../../contract/error.ts";
import { literal, type Session } from "../../engine/database.ts";
import type { OrganizationFolders } from "../../files/organizationFolders.ts";
import { exported } from "../../records/index.ts";
import { exportsIn, landingOf, landings } from "../ledger/ingested.ts";
import type { RevokedFile } from "../ledger/revocations.ts";
import { holdsParts } from "../ledger/verify.ts";
import { atWork } from "../work.ts";
import { commitToLake } from "./built.ts";

/**
 * Writes a landed file again without one of its exports, as a landing with another number, so that the file itself can be
 * revoked. The rows keep the number of the landing that they came with: what landed after them still replaces them.
 */
export async function landWithout(
  session: Session,
  folders: OrganizationFolders,
  { connector, record: name, integration, landing, exports }: RevokedFile,
  without: string,
  number: number,
): Promise<void> {
  const record = exported.find((one) => one.connector === connector && one.name === name);
  if (!record) throw new Error(`there is no record ${name} of ${connector}`);
  const place = { folders, integration: { id: integration }, record };
  const rest = exports.filter((one) => one.name !== without).map((one) => ({ landing, ...one }));
  if (rest.length === 0) return;
  const landed = (await landings(place)).files.find((file) => landingOf(file) === landing);
  const [footer] = landed ? await exportsIn(session, [landed]) : [];
  // Without the file, the other exports would be lost with the revoked one.
  if (!landed || !footer) throw new OperatorError(`the file of landing ${landing} is missing: lucra sync, then revoke`);
  const ofParts = holdsParts(landed);
  const { landedAt } = footer;
  await atWork(folders.dataDir, async (work) => {
    const file = path.join(work, "rest.parquet");
    await session.run(
      `copy (
        from read_parquet(${literal(landed)})
        where ${ofParts ? "file_no" : "_file_no"} in (${rest.map(({ fileNo }) => fileNo).join(", ")})
      ) to ${literal(file)} (format parquet, compression zstd, kv_metadata {
        lucra: ${literal(JSON.stringify(rest))}, landed_at: ${literal(landedAt)}})`,
    );
    await commitToLake(place, { file, ofParts, landing: number, landedAt, exports: rest, rejected: new Map() });
  });
}
