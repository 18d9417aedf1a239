import { compareProfit } from "./compareProfit.ts";

/** The one of `npm test`, with all questions, and others. */
compareProfit(1, 20_260_227);
compareProfit(Number(process.env.WORLDS ?? 4), Number(process.env.SEED ?? 20_260_228));
