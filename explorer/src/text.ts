export { lang, said, t } from "./words/index.ts";
