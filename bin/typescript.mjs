// Runs TypeScript as it is, for `node --import`. Without tsx's cache: that is in a folder which others may make first.
import { register } from "tsx/esm/api";

process.env.TSX_DISABLE_CACHE = "1";
register();
