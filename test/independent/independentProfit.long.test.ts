import { compareProfit } from "./compareProfit.ts";

/** Others than those of `npm test`. */
compareProfit(Number(process.env.WORLDS ?? 4), Number(process.env.SEED ?? 20_260_228));
