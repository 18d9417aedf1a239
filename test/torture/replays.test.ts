import { replays } from "../../torture/parts/replays.ts";
import { short } from "./short.ts";

short(replays);
