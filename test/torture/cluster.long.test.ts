import { cluster } from "../../torture/parts/cluster.ts";
import { missingPrograms } from "../../torture/support/machines.ts";
import { torture } from "./scale.ts";

torture(cluster, "short", missingPrograms);
