import { rateLimit } from "../../torture/parts/rateLimit.ts";
import { torture } from "./scale.ts";

torture(rateLimit, "brief");
