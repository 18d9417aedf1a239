import { compareProfit } from "./compareProfit.ts";

compareProfit(Number(process.env.WORLDS ?? 1), Number(process.env.SEED ?? 20_260_227));
