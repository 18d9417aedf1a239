import { replays } from "../../torture/parts/replays.ts";
import { torture } from "./scale.ts";

torture(replays, "brief");
