import { tenancy } from "../../torture/parts/tenants.ts";
import { torture } from "./scale.ts";

torture(tenancy, "short");
