import { overload } from "../../torture/parts/overload.ts";
import { torture } from "./scale.ts";

torture(overload, "brief");
