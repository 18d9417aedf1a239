import { mutation } from "../../torture/parts/mutation.ts";
import { torture } from "./scale.ts";

torture(mutation, "short");
