import type { Locale } from "../contract/dialect.ts";
import type { Endpoint, ExplainEndpoint, ModelEndpoint, OnQuery } from "../contract/endpoint.ts";
import type { Current } from "../contract/generations.ts";
import type { Text } from "../contract/longText.ts";
import type { Accepted } from "../contract/param.ts";
import type { Column } from "../contract/table.ts";
import type { Explained } from "../params/explained.ts";
import type { Session } from "./database.ts";
import type { Described } from "./formats/described.ts";
import type { WriteBook } from "./formats/write.ts";

/** The figures of endpoints that a model computes. */
export interface Models {
  /** As JSON text. Fails with an `ApiError` if the request cannot wait for them. */
  figures(endpoint: ModelEndpoint, generation: Current, signal: AbortSignal, onQuery?: OnQuery): Promise<string>;
}

/** An endpoint and its accepted parameters. */
export interface EndpointRequest {
  readonly endpoint: Endpoint;
  readonly accepted: Accepted;
}

/** Runs a query over the generation that gave the answer, with the parameters of an endpoint. `name`: reported with its time. */
export type RunQuery = <T>(name: string, asked: EndpointRequest, query: (session: Session) => Promise<T>) => Promise<T>;

/** Which table a workbook is made of. */
export interface BookRequest {
  readonly endpoint: Endpoint;
  readonly organizationId: string;
  readonly accepted: Accepted;
  readonly columns: readonly Column[];
  readonly locale: Locale;
  readonly hasLabels: boolean;
}

/** Spreadsheets for people, and headings in their language. */
export interface Workbooks {
  /** Declarations of columns, by their names: with `hasLabels` the headings are labels. */
  declaredOf(
    columns: readonly Column[],
    shown: Pick<BookRequest, "locale" | "hasLabels">,
  ): ReadonlyMap<string, Pick<Described, "heading" | "field">>;
  /** Reads the other sheets of the workbook; the result writes all of it. */
  bookOf(session: Session, request: BookRequest): Promise<WriteBook>;
}

/** The explanation of a figure of an answer, as JSON text. */
export type Explain = (
  endpoint: ExplainEndpoint,
  answered: { readonly asked: Explained; readonly answer: Text; readonly organizationId: string },
  run: RunQuery,
  signal: AbortSignal,
) => Promise<string>;
