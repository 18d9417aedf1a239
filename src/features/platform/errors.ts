/** A sentence in the languages of the page; text of its own, such as a fault of a file, is in one. */
export type Said = string | { readonly pt: string; readonly en: string };

interface Detail {
  readonly parameter: string;
  readonly message: Said;
}

/** Why a request of the platform is refused. */
type PlatformErrorKind = keyof typeof REFUSALS;

/** Further members of the answer. */
interface More {
  readonly details?: readonly Detail[];
  /** What is there now, for one who meant to replace something else. */
  readonly present?: unknown;
  readonly retryAfter?: number;
}

/** The status, and the messages in the languages of the page. */
const REFUSALS = {
  invalid: [400, "Validation Error", "O pedido tem valores inválidos.", "The request has values that are not valid."],
  unauthorized: [401, "Unauthorized", "Entre para continuar.", "Sign in to go on."],
  elsewhere: [
    403,
    "Forbidden",
    "Sem LUCRA_PUBLIC_URL a plataforma só responde em endereços deste computador, como localhost.",
    "Without LUCRA_PUBLIC_URL the platform answers only at addresses of this machine, such as localhost.",
  ],
  notFromPage: [
    403,
    "Forbidden",
    "Só a página do Lucra pode mudar algo, no endereço de LUCRA_PUBLIC_URL.",
    "Only Lucra's own page can change something, at the address of LUCRA_PUBLIC_URL.",
  ],
  onlyReading: [
    403,
    "Forbidden",
    "Este serviço só lê. As mudanças são feitas no serviço que grava a pasta de dados.",
    "This service only reads. Changes are made at the service that writes the data folder.",
  ],
  keyOnlyReads: [
    403,
    "Forbidden",
    "Quem entra com uma chave só lê. Entre com o seu e-mail para mudar algo.",
    "A key only reads. Sign in with your e-mail address to change something.",
  ],
  notAllowed: [
    403,
    "Forbidden",
    "Só administradores desta organização podem fazer isso.",
    "Only admins of this organization can do this.",
  ],
  notOperator: [403, "Forbidden", "Só um operador pode fazer isso.", "Only an operator can do this."],
  signInAgain: [
    403,
    "Sign In Again",
    "Isso pede uma entrada das últimas 12 horas. Entre de novo e continue.",
    "This asks for a sign-in of the last 12 hours. Sign in again and go on.",
  ],
  notFound: [404, "Not Found", "Não existe, ou não existe mais.", "It does not exist, or no longer."],
  methodNotAllowed: [405, "Method Not Allowed", "O método não é permitido aqui.", "The method is not allowed here."],
  conflict: [409, "Conflict", "Isso não pode ser feito no estado atual.", "This cannot be done in the present state."],
  faulty: [
    409,
    "Conflict",
    "O arquivo de configurações tem erros e não foi mudado. Quem cuida do servidor precisa corrigi-lo.",
    "The settings file has faults and was not changed. Whoever operates the server has to repair it.",
  ],
  interrupted: [
    409,
    "Conflict",
    "Este mesmo pedido foi interrompido. Veja o que está em vigor antes de repetir.",
    "This same request was interrupted. See what is in force before you repeat it.",
  ],
  changed: [412, "Precondition Failed", "Isso mudou enquanto você editava.", "This changed while you were editing it."],
  tooLarge: [413, "Content Too Large", "O pedido é grande demais.", "The request is too large."],
  notJson: [
    415,
    "Unsupported Media Type",
    "O pedido precisa ser application/json.",
    "The request has to be application/json.",
  ],
  notBytes: [
    415,
    "Unsupported Media Type",
    "O pedido precisa ser application/octet-stream.",
    "The request has to be application/octet-stream.",
  ],
  keyMissing: [
    428,
    "Precondition Required",
    "Falta o cabeçalho Idempotency-Key.",
    "The header Idempotency-Key is missing.",
  ],
  tagMissing: [428, "Precondition Required", "Falta o cabeçalho If-Match.", "The header If-Match is missing."],
  tooMany: [
    429,
    "Too Many Requests",
    "Pedidos demais. Aguarde um pouco e tente novamente.",
    "Too many requests. Wait a little and try again.",
  ],
  busy: [
    503,
    "Service Unavailable",
    "Outra mudança está sendo feita. Tente novamente.",
    "Another change is being made. Try again.",
  ],
  unavailable: [
    503,
    "Service Unavailable",
    "O armazenamento não responde. Tente novamente.",
    "The storage does not answer. Try again.",
  ],
  noRoom: [507, "Insufficient Storage", "Não há espaço em disco para isso.", "There is no room on the disk for this."],
  unforeseen: [500, "Internal Server Error", "Ocorreu um erro inesperado.", "An unexpected error occurred."],
} as const satisfies Readonly<Record<string, readonly [number, string, string, string]>>;

/** A refusal with one reason. */
export const refused = (kind: PlatformErrorKind, parameter: string, message: Said): PlatformError =>
  new PlatformError(kind, { details: [{ parameter, message }] });

export class PlatformError extends Error {
  readonly kind: PlatformErrorKind;
  readonly more: More;

  constructor(kind: PlatformErrorKind, more: More = {}) {
    super(kind);
    this.kind = kind;
    this.more = more;
  }
}

/** The answer to a refusal, as [D42], in the language of `Accept-Language`. */
export function refusal(
  { kind, more }: PlatformError,
  isEnglish: boolean,
  requestId: string,
): { readonly status: number; readonly body: object } {
  const [status, error, portuguese, english] = REFUSALS[kind];
  const spoken = (said: Said): string => (typeof said === "string" ? said : isEnglish ? said.en : said.pt);
  const details = more.details?.map(({ parameter, message }) => ({ parameter, message: spoken(message) }));
  const [first, ...others] = details ?? [];
  const message = first && others.length === 0 ? first.message : spoken({ pt: portuguese, en: english });
  const id = kind === "unforeseen" ? { requestId } : {};
  return { status, body: { error, kind, message, ...more, ...(details ? { details } : {}), ...id } };
}
