import { Children } from "../../core/processes/children.ts";
import { customerResources } from "../../features/erasure/resources.ts";
import { CustomerWork } from "../../features/erasure/work.ts";
import type { Resource } from "../../features/platform/resource.ts";
import type { Base } from "./part.ts";

/** The data of customers: found and erased in processes of their own. */
export function openCustomers({ config, log }: Pick<Base, "config" | "log">): {
  readonly resources: readonly Resource[];
  stop(): Promise<void>;
} {
  const { dataDir, syncTimeoutMs } = config;
  const children = new Children(dataDir, syncTimeoutMs);
  return {
    resources: customerResources({ dataDir, work: new CustomerWork({ children, log }) }),
    stop: () => children.stop(),
  };
}
