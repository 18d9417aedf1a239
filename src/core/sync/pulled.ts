import type { Connector } from "../contract/record.ts";

/** Result of a pull for one record [D62]. */
export interface RecordReport {
  readonly organization: string;
  readonly integration: string;
  readonly connector: Connector;
  readonly record: string;
  readonly requests: number;
  /** Seconds. */
  readonly waited: number;
  readonly objects: number;
  readonly bytes: number;
  readonly from: string | null;
  readonly to: string | null;
  readonly complete: boolean;
  /** Data that are missing and what to do, or a remark of the vendor. */
  readonly message: string | null;
}

/** The message of a record whose run was ended. */
export const ENDED = "the run ended: the next pull goes on from here";
