import { hostileRequests } from "../../torture/parts/hostileRequests.ts";
import { short } from "./short.ts";

short(hostileRequests);
