import { tenancy } from "../../torture/parts/tenants.ts";
import { short } from "./short.ts";

short(tenancy);
