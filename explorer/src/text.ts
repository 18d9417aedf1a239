export { lang, t } from "./words/index.ts";
