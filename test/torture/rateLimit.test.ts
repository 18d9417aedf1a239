import { rateLimit } from "../../torture/parts/rateLimit.ts";
import { short } from "./short.ts";

short(rateLimit);
