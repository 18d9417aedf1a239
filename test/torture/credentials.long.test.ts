import { credentials } from "../../torture/parts/credentials.ts";
import { torture } from "./scale.ts";

torture(credentials, "short");
