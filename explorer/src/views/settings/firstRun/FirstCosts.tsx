import { said } from "../../../text.ts";
import { firstRun as FIRST_RUN } from "../../../words/later/firstRun.ts";
import { MarginCard } from "../costs/MarginCard.tsx";
import { useMarginDraft } from "../costs/marginDraft.ts";
import { Failed } from "../failed.tsx";
import { renewed } from "../renewed.ts";
import { expected, StepCard } from "./step.tsx";

/** The lines of the statement that items of the margin are in. */
const LINES = [
  ["salesTax", "tax"],
  ["payment", "gateway"],
  ["shipping", "shipping"],
] as const;

/** What selling costs, in four fields. */
export function FirstCosts({ done }: { done: () => void }) {
  const words = said(FIRST_RUN);
  const margin = useMarginDraft();
  const save = async (): Promise<void> => {
    const { margin: saved } = margin.now ?? { margin: null };
    if (!(await margin.save())) return;
    const items = saved && "items" in saved ? saved.items : {};
    expected.value = LINES.flatMap(([line, item]) => (typeof items[item] === "object" ? [line] : []));
    await renewed();
    done();
  };
  if (margin.failure && !margin.base) return <Failed failure={margin.failure} retry={() => void margin.reload()} />;
  if (!margin.now) return <p class="skeleton skeleton-medium" />;
  return (
    <StepCard title={words.costs}>
      <MarginCard margin={margin.now.margin} change={(next) => margin.change({ margin: next })} isStart />
      <p class="note">{words.goodsTable}</p>
      {margin.failure && <Failed failure={margin.failure} />}
      <div class="settings-actions">
        <button
          type="button"
          class="primary"
          disabled={margin.isSaving || (!margin.isChanged && margin.now.margin === null)}
          onClick={() => void save()}
        >
          {words.saveCosts}
        </button>
        <button type="button" class="link" onClick={done}>
          {words.skip}
        </button>
      </div>
    </StepCard>
  );
}
