import type { StreamSet } from "../../../core/contract/stream.ts";
import { crm } from "./crm.ts";
import { downloads } from "./downloads.ts";
import { searchads } from "./searchads.ts";
import { socialads } from "./socialads.ts";
import { storeb } from "./storeb.ts";
import { webanalytics } from "./webanalytics.ts";

/** The streams of every record and tool. */
export const streamSets: readonly StreamSet[] = [
  ...storeb,
  ...socialads,
  ...searchads,
  ...webanalytics,
  ...crm,
  ...downloads,
];
