import { compareMarkets } from "./compareMarkets.ts";

/** Others than those of `npm test`. */
compareMarkets(Number(process.env.WORLDS ?? 2), Number(process.env.SEED ?? 20_250_408));
