import { addPartKind } from "../../core/landing/read/partKinds.ts";
import { foreignDownload } from "./downloads/foreign.ts";
import { almostDownload, downloadSource } from "./downloads/index.ts";
import { streamSets } from "./streams/index.ts";
import { toolSource } from "./tools.ts";

/** Lets landing read the downloads of vendors' pages and the tables of EL tools. */
export function addTools(): void {
  addPartKind({ recognize: downloadSource, hasLinesAbove: true, almost: almostDownload, foreign: foreignDownload });
  addPartKind({ recognize: toolSource, streamSets });
}
