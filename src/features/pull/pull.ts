import type { Config } from "../../core/config.ts";
import { OperatorError } from "../../core/contract/error.ts";
import { coordinationOf } from "../../core/coordination/registry.ts";
import { foldersOf } from "../../core/files/organizationFolders.ts";
import type { RecordReport } from "../../core/sync/pulled.ts";
import { type Account, pulledRecords } from "./accounts.ts";
import { pullOf } from "./connectors/index.ts";
import { type Context, costOf, type PullRequest, reportOf } from "./context.ts";
import { PullError } from "./declaration.ts";
import { adviceOn, cleaned } from "./failure.ts";
import { inOrder } from "./inOrder.ts";
import { StateKeeper } from "./keeper.ts";
import { RecordRun } from "./recordRun.ts";
import type { KeptSecrets } from "./secrets.ts";
import { openClient, sessionOf } from "./session.ts";
import { pullState } from "./state.ts";

/**
 * Asks for all records of one integration and writes what the vendor answers into its folders of exports; lands nothing.
 * A record that fails does not stop the others, unless the credentials are refused.
 */
export async function pullIntegration(context: Context): Promise<RecordReport[]> {
  const { folders, integration } = context;
  const lock = folders.pullLock(integration.id);
  const refusal = (holder: string): string => `another pull of this integration is running (${holder})`;
  try {
    return await coordinationOf(folders.dataDir).turns.exclusively(lock, { waitMs: 0, refusal }, () =>
      pullLocked(context),
    );
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return wantedRecords(context).map((record) => reportOf(context, record, { message: error.message }));
  }
}

const wantedRecords = ({ integration, request }: Context): string[] =>
  pulledRecords(integration).filter((name) => request.records?.includes(name) ?? true);

async function pullLocked(context: Context): Promise<RecordReport[]> {
  const { folders, integration, request } = context;
  const opened = await openClient(context);
  if (typeof opened === "string")
    return wantedRecords(context).map((record) => reportOf(context, record, { message: opened }));
  const { client } = opened;
  const keeper = new StateKeeper(context, await pullState(folders, integration.id));
  const reports: RecordReport[] = [];
  let refused: string | undefined;
  try {
    for (const record of wantedRecords(context)) {
      if (refused !== undefined) {
        reports.push(reportOf(context, record, { message: refused }));
        continue;
      }
      const report = await new RecordRun(context, opened, keeper, record).run();
      reports.push(report);
      request.onRecord?.(report);
      if (keeper.state.refused) refused = report.message ?? "";
    }
  } finally {
    await client.close();
  }
  return reports;
}

/** Integrations that are pulled at once: their vendors' limits have nothing to do with each other. */
const AT_ONCE = 4;

/** Pulls several integrations; the reports are in their order. */
export async function pullAll(
  { dataDir, now }: Pick<Config, "dataDir" | "now">,
  accounts: readonly Account[],
  request: PullRequest & { readonly check?: boolean },
): Promise<RecordReport[]> {
  const reports = await inOrder(accounts, AT_ONCE, async ({ organization, integration }) => {
    const context = { folders: foldersOf(dataDir, organization), now, integration, request };
    return request.check ? [await checkIntegration(context)] : pullIntegration(context);
  });
  return reports.flat();
}

/** Asks the account one cheap question [D62], with the secrets that are kept, or given ones; writes nothing. */
export async function checkIntegration(context: Context, given?: KeptSecrets): Promise<RecordReport> {
  const { integration } = context;
  const opened = await openClient(context, given);
  if (typeof opened === "string") return reportOf(context, "", { message: opened });
  const { client } = opened;
  try {
    const session = sessionOf(context, client, undefined, () => {});
    const name = await pullOf(integration.connector).check(session);
    return reportOf(context, "", { ...costOf(client.counts), complete: true, message: client.clean(name) });
  } catch (error) {
    if (!(error instanceof PullError)) throw error;
    const message = adviceOn(cleaned(error, client), integration);
    return reportOf(context, "", { ...costOf(client.counts), message });
  } finally {
    await client.close();
  }
}
