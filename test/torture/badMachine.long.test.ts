import { badMachine } from "../../torture/parts/badMachine.ts";
import { torture } from "./scale.ts";

torture(badMachine, "short");
