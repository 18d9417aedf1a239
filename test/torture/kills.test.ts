import { kills } from "../../torture/parts/kills.ts";
import { short } from "./short.ts";

short(kills);
