import { overload } from "../../torture/parts/overload.ts";
import { short } from "./short.ts";

short(overload);
