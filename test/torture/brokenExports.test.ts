import { brokenExports } from "../../torture/parts/brokenExports.ts";
import { short } from "./short.ts";

short(brokenExports);
