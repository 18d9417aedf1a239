import { soak } from "../../torture/parts/soak.ts";
import { torture } from "./scale.ts";

torture(soak, "brief");
