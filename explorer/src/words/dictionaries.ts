import { acquisition } from "./acquisition.ts";
import { customers } from "./customers.ts";
import { data } from "./data.ts";
import { bare } from "./dictionary.ts";
import { frame } from "./frame.ts";
import { known } from "./known.ts";
import { overview } from "./overview.ts";
import { products } from "./products.ts";
import { shared } from "./shared.ts";

/** The dictionaries of all parts of the page. Their texts have different names, which a test checks. */
export const DICTIONARIES = { acquisition, customers, data, frame, known, overview, products, shared };

export const pt = bare({
  ...shared.pt,
  ...frame.pt,
  ...known.pt,
  ...overview.pt,
  ...acquisition.pt,
  ...customers.pt,
  ...products.pt,
  ...data.pt,
});
export const en: typeof pt = bare({
  ...shared.en,
  ...frame.en,
  ...known.en,
  ...overview.en,
  ...acquisition.en,
  ...customers.en,
  ...products.en,
  ...data.en,
});
