import type { RecordDeclaration } from "../contract/record.ts";

export const storea: readonly RecordDeclaration[] = [];
