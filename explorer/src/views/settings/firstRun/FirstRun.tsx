import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { addStyle } from "../../../later.tsx";
import { led } from "../../../led.ts";
import { hasSpend, organization } from "../../../session.ts";
import { said } from "../../../text.ts";
import { firstRun as FIRST_RUN } from "../../../words/later/firstRun.ts";
import { Choice } from "../fields.tsx";
import { Drop } from "../files/Drop.tsx";
import { Going } from "../files/Files.tsx";
import { ownOrders } from "../files/places.ts";
import { sendAll } from "../files/sending.ts";
import type { Detail } from "../files/types.ts";
import { renewed } from "../renewed.ts";
import { Account } from "./Account.tsx";
import { FirstCosts } from "./FirstCosts.tsx";
import { FirstFigure } from "./FirstFigure.tsx";
import { STEPS, StepCard, step } from "./step.tsx";

addStyle("settings");

type Source = "storea" | "storeb" | "other";

/** What somebody has chosen: it stays while other pages of the Explorer are looked at. */
const source = signal<Source | undefined>(undefined);
const way = signal<"file" | "account">("file");

/** Leads an organization without data to its first figure. */
export function FirstRun() {
  const words = said(FIRST_RUN);
  const now = step.value;
  const id = organization.value?.id;
  const of = useRef(id);
  useEffect(() => {
    if (of.current === id) return;
    of.current = id;
    step.value = "source";
    source.value = undefined;
  }, [id]);
  const at = STEPS.indexOf(now) + 1;
  return (
    <div class="first-run" data-step={now}>
      <header>
        <h2>{words.title}</h2>
        <p class="muted">{hasSpend.value ? words.onlyAds : words.lead}</p>
        <progress max={STEPS.length} value={at} aria-label={words.step(String(at), String(STEPS.length))} />
      </header>
      {now === "source" && <ChooseSource />}
      {now === "bring" && <Bring />}
      {now === "costs" && <FirstCosts done={() => (step.value = "figure")} />}
      {now === "figure" && <FirstFigure end={() => (led.value = undefined)} sayCosts={() => (step.value = "costs")} />}
    </div>
  );
}

function ChooseSource() {
  const words = said(FIRST_RUN);
  return (
    <StepCard title={words.source}>
      <Choice<Source>
        legend=""
        value={source.value}
        options={[
          ["storea", "VTEX"],
          ["storeb", "Shopify"],
          ["other", words.other],
        ]}
        change={(chosen) => {
          source.value = chosen;
          way.value = "file";
          step.value = "bring";
        }}
      />
    </StepCard>
  );
}

/** A file, or the keys of the account; whatever lands is shown before. */
function Bring() {
  const words = said(FIRST_RUN);
  const from = source.value ?? "other";
  const landed = async (detail?: Detail): Promise<void> => {
    await renewed();
    if (detail?.state === "landed") step.value = "costs";
  };
  return (
    <>
      <StepCard title={words.bring}>
        {from !== "other" && (
          <Choice
            legend=""
            value={way.value}
            options={[
              ["file", words.file],
              ["account", words.account],
            ]}
            change={(chosen) => (way.value = chosen)}
          />
        )}
        {way.value === "file" ? (
          <Drop take={(files) => void sendAll(files)} hint={words.fileHint[from]} />
        ) : (
          <Account connector={from === "storeb" ? "storeb" : "storea"} />
        )}
        <div class="settings-actions">
          <button type="button" class="link" onClick={() => (step.value = "source")}>
            {words.change}
          </button>
        </div>
      </StepCard>
      <Going changed={(detail) => void landed(detail)} fallback={from === "other" ? ownOrders() : undefined} />
      <ArrivedMeanwhile />
    </>
  );
}

/** Data that came from the account: the next step is there. */
function ArrivedMeanwhile() {
  const words = said(FIRST_RUN);
  const sold = organization.value?.connectors.some(
    ({ connector, newestDay }) => connector.startsWith("store") && newestDay !== null,
  );
  if (!sold) return null;
  return (
    <div class="settings-actions">
      <button type="button" class="primary" onClick={() => (step.value = "costs")}>
        {words.saveCosts}
      </button>
    </div>
  );
}
