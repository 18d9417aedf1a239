import { ApiError } from "../core/contract/error.ts";
import { type Answer, answerTo } from "../core/contract/failures.ts";
import { bodySchema, type Schema } from "../core/contract/schemas.ts";

/** A failure, documented with the body and headers of the service's own answer. */
interface Failure {
  readonly name: string;
  readonly description: string;
  /** One error per wording; all have the same status. */
  readonly errors: readonly unknown[];
  /** Further headers, which do not depend on the error. */
  readonly headers?: readonly string[];
}

const FAILURES: readonly Failure[] = [
  {
    name: "ValidationError",
    description: "A parameter is missing, unknown or wrong. `details` names every wrong one at once.",
    errors: [
      new ApiError("invalid", [
        { parameter: "startDate", message: "Deve ser uma data existente no formato AAAA-MM-DD." },
      ]),
    ],
  },
  {
    name: "Unauthorized",
    description: "The credentials are missing or wrong.",
    errors: [new ApiError("unauthorized")],
    headers: ["WWW-Authenticate"],
  },
  {
    name: "Forbidden",
    description: "The credentials give no access to this organization.",
    errors: [new ApiError("forbidden")],
  },
  { name: "NotFound", description: "The requested resource does not exist.", errors: [new ApiError("notFound")] },
  {
    name: "MethodNotAllowed",
    description: "The method is neither GET nor HEAD. Nothing can be written.",
    errors: [new ApiError("methodNotAllowed")],
  },
  {
    name: "NotAcceptable",
    description: "The answer is not available in the requested format.",
    errors: [new ApiError("notAcceptable")],
  },
  {
    name: "TooManyRequests",
    description:
      "More than 100 requests in the last 60 seconds with these credentials (rejected ones do not count), or 30 wrong credentials from this address.",
    errors: [new ApiError("tooMany"), new ApiError("tooManyFailures")],
  },
  {
    name: "ServerError",
    description: "An unexpected error. `requestId` is the `X-Request-Id` header; the log has it too.",
    errors: [new Error()],
  },
  {
    name: "ServiceUnavailable",
    description:
      "Too many requests at once, a query that took too long or did not fit into the service's memory, data, newest or earlier, that is being prepared, or recovered after damage, storage that does not answer, or a disk without room for a file.",
    errors: [
      new ApiError("busy"),
      new ApiError("timeout"),
      new ApiError("tooLarge"),
      new ApiError("damaged"),
      new ApiError("underived"),
      new ApiError("stateUnderived"),
      new ApiError("stateBusy"),
      new ApiError("stateElsewhere"),
      new ApiError("stateFailed"),
      new ApiError("storage"),
      new ApiError("full"),
    ],
  },
];

const REQUEST_ID = "9b2f6f0e-7c1d-4a55-8f0e-2f1b8f0d3c4a";

interface ErrorResponse {
  readonly status: number;
  readonly name: string;
  readonly description: string;
  readonly headers: readonly string[];
  readonly schema: Schema;
  readonly bodies: readonly Answer["body"][];
}

export const errorResponses: readonly ErrorResponse[] = FAILURES.map(
  ({ name, description, errors, headers: further = [] }) => {
    const answers = errors.map((error) => answerTo(error, REQUEST_ID));
    const { status = 500, headers = {}, body } = answers[0] ?? {};
    return {
      status,
      name,
      description,
      headers: [...Object.keys(headers), ...further],
      schema: bodySchema(body),
      bodies: answers.map((answer) => answer.body),
    };
  },
);
