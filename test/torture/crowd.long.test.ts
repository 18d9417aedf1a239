import { crowd } from "../../torture/parts/crowd.ts";
import { torture } from "./scale.ts";

torture(crowd, "short");
