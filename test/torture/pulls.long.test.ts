import { pulls } from "../../torture/parts/pulls.ts";
import { torture } from "./scale.ts";

torture(pulls, "short");
