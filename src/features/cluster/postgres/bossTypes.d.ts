import type { ConstructorOptions } from "pg-boss";

/** A name that the declarations of the package use and leave out. */
declare module "../../../../node_modules/pg-boss/dist/types.js" {
  interface ResolvedConstructorOptions extends ConstructorOptions {}
}
