import { states } from "../../torture/parts/states.ts";
import { torture } from "./scale.ts";

torture(states, "short");
