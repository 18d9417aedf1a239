import type { RecordDeclaration } from "../contract/record.ts";

export const storeb: readonly RecordDeclaration[] = [];
