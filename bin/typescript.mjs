// Runs TypeScript directly, for `node --import`. Without tsx's cache, whose folder another user may create first.
import { register } from "tsx/esm/api";

process.env.TSX_DISABLE_CACHE = "1";
register();
