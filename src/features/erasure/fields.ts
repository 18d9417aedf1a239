/** What a field of a customer's row is emptied as; `customer` is replaced by a number. */
export type Personal = "email" | "name" | "document" | "phone" | "address" | "device" | "customer" | "text";

/** `clientProfileData.lastName`, `Billing Last Name` and `billing_last_name` have the same words. */
export function wordsOf(name: string): readonly string[] {
  const known = split.get(name);
  if (known) return known;
  const words = name
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  if (split.size > MOST_KNOWN) split.clear();
  split.set(name, words);
  return words;
}

const split = new Map<string, readonly string[]>();
const MOST_KNOWN = 10_000;

const PHONE = words("phone telephone telefone fone celular mobile cellphone fax whatsapp phonenumber mobilephone ddd");
const DOCUMENT = words(
  "document documento cpf cnpj rg passport passaporte nif ssn vat taxpayer identification inscription ie",
);
const DEVICE = words("ip useragent device fingerprint browser");
const STREET = words(
  `street streetname rua logradouro endereco complement complemento neighborhood neighbourhood bairro district distrito
  zip zipcode postal postalcode postcode cep latitude longitude geo geocoordinates coordinates lat lng lon address1 address2 address3`,
);
/** A state is read by its country [D88], so that figures by state stay only with it. */
const KEPT_OF_ADDRESS = words("city cidade municipality municipio state estado uf province region regiao country pais");
/** What else of an address is known only by where it stands. */
const OF_ADDRESS = words("number numero reference referencia code line id name address");
const NAME = words(
  `firstname lastname fullname middlename surname givenname familyname nickname username displayname sobrenome apelido
  receivername corporatename tradename companyname customername clientname company`,
);
const NAMED = words(
  "first last full middle given family display receiver recipient corporate trade company customer client buyer contact holder card user nick",
);
const PERSON = words(
  "customer client cliente buyer comprador receiver recipient destinatario contact contato profile shopper",
);
const PLACE = words("address addresses endereco billing shipping delivery entrega cobranca destination");
const GOODS = words("item items product products variant variants line lines");
const TEXT = words(
  "note notes comment comments observation observations observacao observacoes remark remarks message messages mensagem recado obs",
);

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

const hasAny = (all: readonly string[], of: ReadonlySet<string>): boolean => all.some((word) => of.has(word));

/**
 * What a field of a customer's row says of the person, by the words of its path; undefined if nothing. City and state stay, and
 * so does whatever figures are made of.
 */
export function personal(path: readonly string[], connector: string | undefined): Personal | undefined {
  const last = path.at(-1) ?? "";
  const before = path.at(-2) ?? "";
  const pair = `${before} ${last}`;
  if (isEmail(path)) return "email";
  if (isCustomerId(path)) return "customer";
  if (hasAny(path, PHONE)) return "phone";
  // The identity of a row of Lucra is no document.
  if (hasAny(path, DOCUMENT) && last !== "type" && path.join(" ") !== "document id") return "document";
  if (pair === "tax id" || pair === "tax number" || pair === "vat number" || pair === "inscricao estadual")
    return "document";
  if (isDevice(path)) return "device";
  if (isText(path, connector)) return "text";
  if (hasAny(path, GOODS)) return undefined;
  if (isName(path, connector)) return "name";
  return isAddress(path, connector) ? "address" : undefined;
}

/** States of newsletters, and whether an address was verified, are no addresses. */
function isEmail(path: readonly string[]): boolean {
  const at = path.findLastIndex(
    (word, n) => word === "email" || word === "emails" || (word === "mail" && path[n - 1] === "e"),
  );
  if (at < 0) return false;
  return !hasAny(path, new Set(["consent", "marketing", "verified", "state", "optin", "domain", "provider", "source"]));
}

function isCustomerId(path: readonly string[]): boolean {
  const text = path.join(" ");
  return /(^| )(user profile id|user profile|customer id|customer ids|client id|cliente id|id do cliente|customer admin graphql api id|customer legacy resource id)$/.test(
    text,
  );
}

function isDevice(path: readonly string[]): boolean {
  const text = path.join(" ");
  if (/(^| )(user agent|client details|session hash|accept language|ip address|ip country)( |$)/.test(text))
    return true;
  return hasAny(path, DEVICE);
}

function isText(path: readonly string[], connector: string | undefined): boolean {
  const last = path.at(-1) ?? "";
  const text = path.join(" ");
  if (hasAny(path, TEXT)) return !/^(.* )?(email|sms) message/.test(text);
  // The vendor of the other store has a list of reasons.
  if (
    /(^| )(cancel reason|cancellation data reason|cancellation reason|canceled by reason|motivo cancelamento|motivo do cancelamento)$/.test(
      text,
    )
  )
    return connector !== "storeb";
  if (/(^| )(open text field|custom data|custom attributes|line items properties|items properties)( |$)/.test(text))
    return last !== "key" && last !== "id";
  return /(^| )customer tags$/.test(text);
}

function isName(path: readonly string[], connector: string | undefined): boolean {
  const last = path.at(-1) ?? "";
  const before = path.at(-2) ?? "";
  // The carrier.
  if (before === "delivery" && last === "company") return false;
  if (NAME.has(last)) return true;
  if (last === "nome" || last === "name") {
    if (NAMED.has(before)) return true;
    // `shippingData.address.receiver.name`, `billing_address.name`, `Shipping Name`; not `shipping_lines.name`.
    const above = path.slice(0, -1);
    return before === "nome" || PERSON.has(before) || PLACE.has(before) || (above.length === 0 && connector === "crm");
  }
  return /(^| )(razao social|nome fantasia|nome do cliente|nome completo|card holder|cardholder|primeiro nome|first digits|last digits|credit card number|credit card name|credit card bin)$/.test(
    path.join(" "),
  );
}

function isAddress(path: readonly string[], connector: string | undefined): boolean {
  const last = path.at(-1) ?? "";
  const before = path.at(-2) ?? "";
  if (KEPT_OF_ADDRESS.has(last) || (KEPT_OF_ADDRESS.has(before) && (last === "code" || last === "name"))) return false;
  if (hasAny(path, STREET)) return true;
  const isOfPlace =
    hasAny(path.slice(0, -1), PLACE) &&
    !hasAny(path, new Set(["price", "method", "total", "cost", "amount", "estimate", "tax", "status"]));
  if (/^address\d*$/.test(last) || last === "endereco") return true;
  if (isOfPlace && path.some((word) => /^(address|addresses|endereco)$/.test(word))) return OF_ADDRESS.has(last);
  if (isOfPlace && last === "company") return true;
  return (
    path.length === 1 &&
    connector === "storea" &&
    (last === "number" || last === "numero" || last === "reference" || last === "referencia")
  );
}
