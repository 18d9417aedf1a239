/** Headings by language that a download of these pages has, in lower case and without the currency after them. */
const FOREIGN: readonly (readonly [vendor: string, language: string, ...headings: readonly (readonly string[])[]])[] = [
  ["Meta Ads Manager", "Spanish", ["importe gastado", "importe gastado total"], ["inicio del informe", "día"]],
  ["Meta Ads Manager", "French", ["montant dépensé"], ["début des rapports", "jour"]],
  ["Meta Ads Manager", "German", ["ausgegebener betrag"], ["berichtsbeginn", "auswertungsbeginn", "tag"]],
  ["Meta Ads Manager", "Italian", ["importo speso"], ["inizio dei report", "inizio del report", "giorno"]],
  ["Google Ads", "Spanish", ["campaña"], ["coste", "costo"], ["impr.", "impresiones", "clics"]],
  ["Google Ads", "French", ["campagne"], ["coût"], ["impr.", "impressions", "clics"]],
  ["Google Ads", "German", ["kampagne"], ["kosten"], ["impr.", "impressionen", "klicks"]],
  ["Google Ads", "Italian", ["campagna"], ["costo"], ["impr.", "impressioni", "clic"]],
];

const canonical = (heading: string): string =>
  heading
    .slice(0, 100)
    .replace(/ \([A-Z]{3}\)$/, "")
    .normalize("NFC")
    .toLowerCase();

/** Why a table is not read that has the headings of a vendor's pages in a language that is not known. */
export function foreignDownload(headings: readonly string[]): string | undefined {
  const names = new Set(headings.map((heading) => canonical(heading.trim())));
  const found = FOREIGN.find(([, , ...all]) => all.every((one) => one.some((heading) => names.has(heading))));
  if (!found) return undefined;
  const [vendor, language] = found;
  return (
    `is a download of ${vendor} in ${language}, and its headings are known in English and Portuguese: set the language of the ` +
    "account to one of these and export it again, or name its columns (lucra import --record … --map …)"
  );
}
