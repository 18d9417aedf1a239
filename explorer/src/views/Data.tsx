import { wordsOf } from "../components/Controls.tsx";
import { Segmented } from "../components/Segmented.tsx";
import { arg, oneOf, set } from "../route.ts";
import { t } from "../text.ts";
import { Changes } from "./data/Changes.tsx";
import { Quality } from "./data/Quality.tsx";
import { Rows } from "./data/Rows.tsx";

/** An address of a table is one of its rows. */
export const dataTab = (): (typeof TABS)[number] =>
  oneOf("tab", arg("table") ? (["rows", "quality", "changes"] as const) : TABS);

export const TABS = ["quality", "rows", "changes"] as const;

/** What is known about the data, the landed rows themselves, and what changed since then. */
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
          change={(next) => set({ tab: next, table: "", sort: "", order: "", page: "", month: "", cause: "" })}
        />
      </div>
      {tab === "rows" ? <Rows /> : tab === "changes" ? <Changes /> : <Quality />}
    </div>
  );
}
