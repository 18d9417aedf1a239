import { hostileRequests } from "../../torture/parts/hostileRequests.ts";
import { torture } from "./scale.ts";

torture(hostileRequests, "brief");
