import { compareMarkets } from "./compareMarkets.ts";

compareMarkets(Number(process.env.WORLDS ?? 1), Number(process.env.SEED ?? 20_250_405));
