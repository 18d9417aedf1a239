import { credentials } from "../../torture/parts/credentials.ts";
import { short } from "./short.ts";

short(credentials);
