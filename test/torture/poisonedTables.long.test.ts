import { poisonedTables } from "../../torture/parts/poisonedTables.ts";
import { torture } from "./scale.ts";

torture(poisonedTables, "short");
