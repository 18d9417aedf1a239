import { clearAnswers, resume } from "../../api.ts";

/** After data or settings have changed: the page's answers, and what it knows of the organizations, are asked for again. */
export async function renewed(): Promise<void> {
  clearAnswers();
  await resume().catch(() => {});
}
