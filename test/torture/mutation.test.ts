import { mutation } from "../../torture/parts/mutation.ts";
import { short } from "./short.ts";

short(mutation);
