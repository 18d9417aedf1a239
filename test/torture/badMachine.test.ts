import { badMachine } from "../../torture/parts/badMachine.ts";
import { short } from "./short.ts";

short(badMachine);
