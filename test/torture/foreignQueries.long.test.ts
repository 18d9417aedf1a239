import { foreignQueries } from "../../torture/parts/foreignQueries.ts";
import { torture } from "./scale.ts";

torture(foreignQueries, "short");
