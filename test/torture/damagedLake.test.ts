import { damagedLake } from "../../torture/parts/damagedLake.ts";
import { short } from "./short.ts";

short(damagedLake);
