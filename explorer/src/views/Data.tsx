import { wordsOf } from "../components/Controls.tsx";
import { Segmented } from "../components/Segmented.tsx";
import { arg, oneOf, set } from "../route.ts";
import { t } from "../text.ts";
import { Quality } from "./data/Quality.tsx";
import { Rows } from "./data/Rows.tsx";

/** An address of a table is one of its rows. */
export const dataTab = (): "quality" | "rows" =>
  oneOf("tab", arg("table") ? (["rows", "quality"] as const) : (["quality", "rows"] as const));

/** What is known about the data, and the landed rows themselves. */
export function Data() {
  const words = t().data;
  const tab = dataTab();
  return (
    <div class="page">
      <div class="data-tabs">
        <Segmented
          label={words.tab}
          options={wordsOf(words.tabs)}
          value={tab}
          change={(next) => set({ tab: next, table: "", sort: "", order: "", page: "" })}
        />
      </div>
      {tab === "rows" ? <Rows /> : <Quality />}
    </div>
  );
}
