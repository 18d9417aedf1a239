import { STATUS_CODES } from "node:http";
import { ApiError, type ApiErrorKind } from "./error.ts";

/** Messages for clients, in Portuguese. Internal details stay in the log. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

const TOO_MANY = "Limite de 100 requisições por minuto excedido. Aguarde 60 segundos e tente novamente.";
const TOO_MANY_FAILURES = "Credenciais inválidas demais vindas deste endereço. Aguarde 60 segundos e tente novamente.";

const ANSWERS: Record<Exclude<ApiErrorKind, "invalid">, Answer> = {
  unauthorized: { status: 401, body: { message: "Unauthorized" } },
  forbidden: {
    status: 403,
    body: { error: "Forbidden", message: "Estas credenciais não dão acesso a esta organização." },
  },
  notFound: { status: 404, body: { error: "Not Found", message: "O recurso não existe." } },
  methodNotAllowed: {
    status: 405,
    headers: { Allow: "GET, HEAD" },
    body: { error: "Method Not Allowed", message: "Somente GET é permitido." },
  },
  notAcceptable: { status: 406, body: { error: "Not Acceptable", message: "O formato pedido não está disponível." } },
  doesNotFit: {
    status: 406,
    body: {
      error: "Not Acceptable",
      message:
        "A seleção não cabe em uma planilha, que tem no máximo 1.048.575 linhas e 32.767 caracteres por célula. " +
        "Use filtros ou outro formato.",
    },
  },
  tooMany: {
    status: 429,
    headers: { "Retry-After": "60" },
    body: { statusCode: 429, error: "Too Many Requests", message: TOO_MANY, retryAfter: 60 },
  },
  tooManyFailures: {
    status: 429,
    headers: { "Retry-After": "60" },
    body: { statusCode: 429, error: "Too Many Requests", message: TOO_MANY_FAILURES, retryAfter: 60 },
  },
  busy: {
    status: 503,
    headers: { "Retry-After": "1" },
    body: { error: "Service Unavailable", message: "O serviço está ocupado. Tente novamente em instantes." },
  },
  damaged: {
    status: 503,
    headers: { "Retry-After": "5" },
    body: {
      error: "Service Unavailable",
      message: "Os dados desta organização estão sendo recuperados. Tente novamente em instantes.",
    },
  },
  underived: {
    status: 503,
    headers: { "Retry-After": "5" },
    body: {
      error: "Service Unavailable",
      message: "Os dados desta organização estão sendo preparados. Tente novamente em instantes.",
    },
  },
  stateUnderived: {
    status: 503,
    headers: { "Retry-After": "5" },
    body: {
      error: "Service Unavailable",
      message: "O que era conhecido então está sendo preparado. Tente novamente em instantes.",
    },
  },
  stateBusy: {
    status: 503,
    headers: { "Retry-After": "10" },
    body: {
      error: "Service Unavailable",
      message:
        "Outros momentos do passado desta organização estão sendo preparados. Faça o pedido de novo em instantes.",
    },
  },
  stateElsewhere: {
    status: 503,
    headers: { "Retry-After": "60" },
    body: {
      error: "Service Unavailable",
      message:
        "Este serviço só lê: o que era conhecido então é preparado por quem recebe os dados, com um marco (lucra pins create).",
    },
  },
  stateFailed: {
    status: 503,
    headers: { "Retry-After": "60" },
    body: {
      error: "Service Unavailable",
      message: "O que era conhecido então não pôde ser preparado. A causa está no registro do serviço.",
    },
  },
  storage: {
    status: 503,
    headers: { "Retry-After": "5" },
    body: {
      error: "Service Unavailable",
      message: "O armazenamento do serviço não está respondendo. Tente novamente em instantes.",
    },
  },
  full: {
    status: 503,
    headers: { "Retry-After": "60" },
    body: {
      error: "Service Unavailable",
      message: "O disco do serviço está cheio, e este arquivo não cabe nele. Peça menos dados, ou tente mais tarde.",
    },
  },
  computing: {
    status: 503,
    headers: { "Retry-After": "10" },
    body: {
      error: "Service Unavailable",
      message: "A projeção desta organização está sendo calculada. Tente novamente em instantes.",
    },
  },
  tooLarge: {
    status: 503,
    headers: { "Retry-After": "5" },
    body: {
      error: "Service Unavailable",
      message:
        "A consulta não coube na memória do serviço. Peça um período menor ou menos dados de uma vez, " +
        "ou tente novamente quando houver menos consultas.",
    },
  },
  timeout: {
    status: 503,
    headers: { "Retry-After": "5" },
    body: { error: "Service Unavailable", message: "A consulta demorou demais e foi interrompida." },
  },
};

/** The answer to a failure [D42]. An unexpected one is a 500 that contains only the request's id. */
export function answerTo(error: unknown, requestId: string): Answer {
  if (error instanceof ApiError) {
    if (error.kind !== "invalid") return ANSWERS[error.kind];
    const [first] = error.details;
    const message =
      error.details.length === 1 && first ? first.message : `${error.details.length} parâmetros são inválidos.`;
    return { status: 400, body: { error: "Validation Error", message, details: error.details } };
  }
  const status = refusalOf(error);
  if (status) return { status, body: { error: STATUS_CODES[status], message: UNMET } };
  return {
    status: 500,
    body: { error: "Internal Server Error", message: "Ocorreu um erro inesperado.", requestId },
  };
}

const UNMET = "As condições que a requisição impõe não podem ser atendidas.";

/** The status with which Express itself rejects a request: a range or a condition that a file does not meet. */
function refusalOf(error: unknown): number | undefined {
  const status = error instanceof Error && "status" in error ? Number(error.status) : Number.NaN;
  return status >= 400 && status < 500 ? status : undefined;
}

/** The wording of the rules of all parameters; `params/kinds.ts` has those of each kind. */
export const wording = {
  missing: (name: string): string => `O parâmetro ${name} é obrigatório.`,
  unknown: (guess: string | undefined): string =>
    guess ? `Parâmetro desconhecido. Você quis dizer ${guess}?` : "Parâmetro desconhecido.",
  furtherUnknown: (count: number): string =>
    count === 1 ? "Há mais um parâmetro desconhecido." : `Há mais ${count} parâmetros desconhecidos.`,
  repeated: "O parâmetro deve ser enviado uma única vez.",
  together: (other: string): string => `O parâmetro é obrigatório junto com ${other}.`,
  order: (start: string, end: string): string => `${start} não pode ser posterior a ${end}.`,
  range: (least: string, most: string): string => `${least} não pode ser maior que ${most}.`,
  future: "A data não pode estar no futuro (UTC).",
  tooLong: (days: number): string => `O período pode ter no máximo ${days} dias entre as datas.`,
  nothingCompared: "Deve ser um destes valores: previous, year, weekdays; ou envie as datas do período comparado.",
  tooEarly: "O período começa cedo demais: o período anterior seria antes do ano 1.",
  noPeriod: "Este endpoint não tem período.",
  periodOfDays: "O período é preenchido pelos dias do link.",
  otherOrganization: "O link é de outra organização.",
  fixed: "Os parâmetros deste link são fixos.",
  knownAt: "Deve ser uma data (AAAA-MM-DD), uma data e hora ISO 8601 ou o nome de um marco.",
  knownLater: "Não pode ser depois de agora.",
  knownBefore: (first: string): string => `Nada era conhecido então: os primeiros dados chegaram em ${first}.`,
  nothingKnown: "Ainda não chegaram dados desta organização.",
  personal: "Só administradores da organização filtram e ordenam por dados pessoais na página.",
  address: "O endereço contém uma sequência inválida.",
} as const;
