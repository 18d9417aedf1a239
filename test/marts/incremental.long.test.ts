import { compareIncrements } from "../support/increments.ts";

compareIncrements(Number(process.env.WORLDS ?? 2), true);
