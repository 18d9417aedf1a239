import { useState } from "preact/hooks";
import { isDay, today } from "../days.ts";
import { day, range } from "../format.ts";
import { chosen, PRESETS } from "../period.ts";
import { arg, set } from "../route.ts";
import { lastDay, usePeriod, useStores } from "../stores.ts";
import { t } from "../text.ts";
import { Input, Select } from "./Controls.tsx";

/** Selects the period of all views: a preset or two days. */
export function PeriodBar() {
  const { from, to } = usePeriod();
  const last = lastDay(useStores());
  const now = chosen();
  const [isOpen, setOpen] = useState(now === "custom");
  const words = t().period;
  const choose = (preset: string): void => {
    setOpen(preset === "custom");
    if (preset === "custom") set({ from: from ?? last, to: to ?? last, period: "" });
    else set({ period: preset, from: "", to: "" });
  };
  const setDay = (name: "from" | "to") => (value: string) => isDay(value) && set({ [name]: value });
  return (
    <div class="period">
      <Select
        label={words.label}
        options={[...PRESETS, "custom" as const].map((preset) => [preset, words[preset]] as const)}
        value={now}
        change={choose}
      />
      {isOpen && now === "custom" ? (
        <>
          <Input label={words.from} type="date" value={arg("from")} max={today()} change={setDay("from")} />
          <Input label={words.to} type="date" value={arg("to")} max={today()} change={setDay("to")} />
        </>
      ) : (
        <p class="period-days" title={words.anchored(day(last))}>
          {from && to ? range(from, to) : words.everything}
        </p>
      )}
    </div>
  );
}
