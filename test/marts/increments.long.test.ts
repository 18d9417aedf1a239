import { compareIncrements } from "../support/increments.ts";

compareIncrements(1, false);
