import { compareWorlds } from "./compareWorlds.ts";

/** Some of the questions to each endpoint: the long form asks all. */
compareWorlds(Number(process.env.WORLDS ?? 1), Number(process.env.SEED ?? 20_250_401), 3);
