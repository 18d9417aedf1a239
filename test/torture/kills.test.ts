import { kills } from "../../torture/parts/kills.ts";
import { torture } from "./scale.ts";

torture(kills, "brief");
