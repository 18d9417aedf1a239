import { compareWorlds } from "./compareWorlds.ts";

compareWorlds(Number(process.env.WORLDS ?? 1), Number(process.env.SEED ?? 20_250_401));
