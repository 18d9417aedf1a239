import { compareWorlds } from "./compareWorlds.ts";

/** Others than those of `npm test`. */
compareWorlds(Number(process.env.WORLDS ?? 2), Number(process.env.SEED ?? 20_250_404));
