import { encoded, type Text } from "../../src/core/contract/longText.ts";

/** An answer as one string. */
export const asText = async (answer: Promise<Text>): Promise<string> => (await encoded(await answer)).toString();
