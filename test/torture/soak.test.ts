import { soak } from "../../torture/parts/soak.ts";
import { short } from "./short.ts";

short(soak);
