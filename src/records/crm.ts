import type { RecordDeclaration } from "../contract/record.ts";

export const crm: readonly RecordDeclaration[] = [];
