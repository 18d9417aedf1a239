import { compareProfit } from "./compareProfit.ts";

/** Some of the questions to each endpoint: the long form asks all. */
compareProfit(Number(process.env.WORLDS ?? 1), Number(process.env.SEED ?? 20_260_227), 3);
