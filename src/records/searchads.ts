import type { RecordDeclaration } from "../contract/record.ts";

export const searchads: readonly RecordDeclaration[] = [];
