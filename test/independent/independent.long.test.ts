import { compareWorlds } from "./compareWorlds.ts";

/** The one of `npm test`, with all questions, and others. */
compareWorlds(1, 20_250_401);
compareWorlds(Number(process.env.WORLDS ?? 2), Number(process.env.SEED ?? 20_250_404));
