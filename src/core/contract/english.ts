// The API's messages are in Portuguese, and have no codes: who reads English recognizes them by their texts.

const RETRY = "Try again in a moment.";

/** A message, and its translation; `$1` is the part in parentheses. */
const ENGLISH: readonly (readonly [RegExp, string])[] = [
  [/^Estas credenciais não dão acesso/, "These credentials have no access to this organization."],
  [/^O recurso não existe/, "The resource does not exist."],
  [/^Somente GET/, "Only GET is allowed."],
  [/^O formato pedido/, "The requested format is not available."],
  [
    /^A seleção não cabe em uma planilha/,
    "The selection does not fit into a workbook: 1,048,575 rows, and 32,767 characters per cell. Use filters or another format.",
  ],
  [/^Limite de (\d+) requisições/, "The limit of $1 requests per minute is exceeded. Wait for 60 seconds."],
  [/^Credenciais inválidas demais/, "Too many wrong credentials from this address. Wait for 60 seconds."],
  [/^O serviço está ocupado/, `The service is busy. ${RETRY}`],
  [/^Os dados desta organização estão sendo recuperados/, `The organization's data are being recovered. ${RETRY}`],
  [/^Os dados desta organização estão sendo preparados/, `The organization's data are being prepared. ${RETRY}`],
  [/^O que era conhecido então está/, `What was known then is being prepared. ${RETRY}`],
  [
    /^Outros momentos do passado/,
    "Other moments of this organization's past are being prepared. Ask again in a moment.",
  ],
  [/^Este serviço só lê/, "This service only reads: who receives the data prepares what was known then, with a pin."],
  [/^O que era conhecido então não pôde/, "What was known then could not be prepared. The service's log says why."],
  [/^O armazenamento do serviço/, `The service's storage does not respond. ${RETRY}`],
  [
    /^O disco do serviço está cheio/,
    "The service's disk is full, and this file does not fit. Ask for less, or try later.",
  ],
  [/^A projeção desta organização/, `The organization's forecast is being computed. ${RETRY}`],
  [
    /^A consulta não coube/,
    "The query did not fit into the service's memory. Ask for a shorter period, or try again later.",
  ],
  [/^A consulta demorou demais/, "The query took too long and was stopped."],
  [/^Ocorreu um erro inesperado/, "An unexpected error occurred."],
  [/^As condições que a requisição impõe/, "The conditions of the request cannot be met."],
  [/^(\d+) parâmetros são inválidos/, "$1 parameters are not valid."],
  [/^O parâmetro (\S+) é obrigatório\.$/, "The parameter $1 is required."],
  [/^O parâmetro é obrigatório junto com (\S+)\.$/, "The parameter is required together with $1."],
  [/^O parâmetro deve ser enviado uma única vez/, "The parameter may be sent only once."],
  [/^Parâmetro desconhecido\. Você quis dizer (\S+)\?/, "Unknown parameter. Did you mean $1?"],
  [/^Parâmetro desconhecido/, "Unknown parameter."],
  [/^Há mais (?:um|\d+) parâmetros? desconhecidos?/, "There are more unknown parameters."],
  [/^(\S+) não pode ser posterior a (\S+)\.$/, "$1 must not be after $2."],
  [/^(\S+) não pode ser maior que (\S+)\.$/, "$1 must not be greater than $2."],
  [/^A data não pode estar no futuro/, "The date must not be in the future (UTC)."],
  [/^O período pode ter no máximo (\d+) dias/, "The period may have at most $1 days between its dates."],
  [/^O período começa cedo demais/, "The period begins too early."],
  [
    /^Só administradores da organização filtram/,
    "On the page only admins of the organization filter and sort by personal data.",
  ],
  [/^Este endpoint não tem período/, "This endpoint has no period."],
  [/^(?:Cada valor deve|Deve) ser um destes(?: valores)?: ([^;]*)/, "It must be one of these: $1"],
  [/^(?:Cada valor deve|Deve) ter no máximo (\d+) caracteres/, "At most $1 characters are allowed."],
  [/^Deve ter no máximo (\d+) valores distintos/, "At most $1 different values are allowed."],
  [/^Contém caracteres que não são permitidos/, "It has characters that are not allowed."],
  [/^Deve ser true ou false/, "It must be true or false."],
  [/^Deve ser um UUID/, "It must be a UUID."],
  [/^Deve ser um número inteiro de (\d+) a (\d+)/, "It must be a whole number from $1 to $2."],
  [/^Deve ser um número/, "It must be a number, with a decimal point."],
  [/^Deve ser uma data existente no formato/, "It must be an existing date (YYYY-MM-DD)."],
  [/^Deve ser uma data existente/, "It must be an existing date (YYYY-MM-DD) or an ISO 8601 date and time."],
  [
    /^Deve ser uma data \(AAAA-MM-DD\), uma data e hora/,
    "It must be a date (YYYY-MM-DD), an ISO 8601 date and time, or the name of a pin.",
  ],
  [/^Não pode ser depois de agora/, "It must not be after now."],
  [
    /^Nada era conhecido então: os primeiros dados chegaram em (\S+)\.$/,
    "Nothing was known then: the first data came at $1.",
  ],
  [/^Ainda não chegaram dados/, "No data of this organization have come yet."],
  [/^O valor não é válido/, "The value is not valid."],
  [/^Linha desconhecida/, "Unknown row."],
  [/^(?:A|Esta) resposta não tem linhas/, "The answer has no rows."],
];

/** The message in English; undefined if it is not known. */
export function inEnglish(message: string): string | undefined {
  const found = ENGLISH.find(([known]) => known.test(message));
  if (!found) return undefined;
  const parts = found[0].exec(message) ?? [];
  return found[1].replaceAll(/\$(\d)/g, (_, n: string) => parts[Number(n)] ?? "");
}
