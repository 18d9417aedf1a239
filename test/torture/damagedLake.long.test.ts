import { damagedLake } from "../../torture/parts/damagedLake.ts";
import { torture } from "./scale.ts";

torture(damagedLake, "short");
