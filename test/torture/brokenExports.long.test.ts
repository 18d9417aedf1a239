import { brokenExports } from "../../torture/parts/brokenExports.ts";
import { torture } from "./scale.ts";

torture(brokenExports, "short");
