import type { RecordDeclaration } from "../contract/record.ts";

export const webanalytics: readonly RecordDeclaration[] = [];
