import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { BarList } from "../charts/BarList.tsx";
import type { Color, Point, Series } from "../charts/series.ts";
import { Waterfall } from "../charts/Waterfall.tsx";
import { XYChart } from "../charts/XYChart.tsx";
import { Banner } from "../components/Banner.tsx";
import { Input, Select } from "../components/Controls.tsx";
import { EmptySmall } from "../components/EmptySmall.tsx";
import { Figure } from "../components/Figure.tsx";
import { Menu } from "../components/Menu.tsx";
import { Drawer, Sheet } from "../components/Modal.tsx";
import { Segmented } from "../components/Segmented.tsx";
import { type Column, Table } from "../components/Table.tsx";
import { daysBefore } from "../days.ts";
import { day, shortDay } from "../format.ts";
import { t } from "../text.ts";

const ROLES = [
  "page",
  "surface",
  "sunken",
  "ink",
  "muted",
  "line",
  "accent",
  "contrast",
  "good",
  "bad",
  "warn",
  "info",
];
const PALETTE = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const satisfies readonly Color[];
const SIZES = ["1", "2", "3", "4", "5"];
const SPACES = ["1", "2", "3", "4", "5", "6", "7"];

/** The same numbers at every visit. */
const wave = (n: number, shift: number): number =>
  900 + 300 * Math.sin((n + shift) / 3) + 25 * n + ((n * 37 + shift * 11) % 90);
const DAYS = 30;
const points: readonly Point[] = Array.from({ length: DAYS }, (_, n) => {
  const key = daysBefore("2026-11-23", DAYS - 1 - n);
  return { key, label: "", isOpen: n === DAYS - 1 };
});
const dated = (): readonly Point[] =>
  points.map((point) => ({ ...point, label: shortDay(point.key), title: day(point.key) }));
const values = (shift: number, count = DAYS): readonly number[] =>
  Array.from({ length: count }, (_, n) => wave(n, shift));

/** The design system: tokens and components with live examples. */
export function Design() {
  const words = t().design;
  return (
    <div class="page design">
      <p class="muted">{words.lead}</p>
      <Part title={words.colors}>
        <Swatches title={words.roles} names={ROLES} />
        <Swatches title={words.palette} names={PALETTE.map((n) => `series-${n}`)} />
      </Part>
      <Part title={words.type} span={6}>
        {SIZES.map((size) => (
          <p key={size} class={`design-text-${size}`}>
            <code>--text-{size}</code> {words.sampleText}
          </p>
        ))}
      </Part>
      <Part title={words.space} span={6}>
        {SPACES.map((size) => (
          <p key={size} class="design-space">
            <code>--space-{size}</code> <span class={`design-space-${size}`} />
          </p>
        ))}
      </Part>
      <Part title={words.figures}>
        <Figures />
      </Part>
      <Charts />
      <Part title={words.tables}>
        <Tables />
      </Part>
      <Part title={words.controls} span={6}>
        <Controls />
      </Part>
      <Part title={words.messages} span={6}>
        <Banner tone="warn" action={{ text: words.action, href: "#/products" }}>
          {words.warn}
        </Banner>
        <Banner tone="bad">{words.bad}</Banner>
        <Banner tone="info" close={{ label: t().frame.close, act: () => {} }}>
          {words.info}
        </Banner>
        <Banner tone="good">{words.good}</Banner>
        <EmptySmall>{t().chart.empty}</EmptySmall>
      </Part>
    </div>
  );
}

function Part({ title, span = 12, children }: { title: string; span?: 6 | 12; children: ComponentChildren }) {
  return (
    <section class={`card-box span-${span}`} aria-label={title}>
      <header class="card-head">
        <h2>{title}</h2>
      </header>
      <div class="design-part">{children}</div>
    </section>
  );
}

function Swatches({ title, names }: { title: string; names: readonly string[] }) {
  return (
    <div>
      <h3 class="figure-name">{title}</h3>
      <ul class="design-swatches">
        {names.map((name) => (
          <li key={name}>
            <span style={{ background: `var(--${name})` }} /> <code>{name}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Figures() {
  const words = t().design;
  const line = { points: dated(), values: values(0) };
  return (
    <div class="figures">
      <Figure
        name="revenue"
        label={words.revenue}
        unit="currency"
        size="hero"
        value={10_216_769.83}
        before={9_180_000}
        change={11.3}
        better="more"
        line={line}
        explain={() => {}}
        target={10_000_000}
      />
      <Figure
        name="cac"
        label={words.cac}
        unit="currency"
        size="hero"
        value={136.67}
        before={121.4}
        change={12.6}
        better="less"
        line={{ ...line, values: values(5) }}
        target={120}
      />
      <Figure
        name="spend"
        label={words.spend}
        unit="currency"
        value={48_120.5}
        before={44_000}
        incomplete={{ known: 9, of: 365 }}
      />
      <Figure name="roi" label="ROI" unit="ratio" value={null} reason={words.reason} before={null} />
      <Figure
        name="orders"
        label={words.margin}
        unit="percent"
        size="small"
        value={41.25}
        before={40}
        change={-3.1}
        better="more"
      />
    </div>
  );
}

function Charts() {
  const words = t().design;
  const all = dated();
  const own = (name: string, shift: number, color: Color, more: Partial<Series> = {}): Series => ({
    key: name,
    name,
    as: "line",
    color,
    values: values(shift),
    ...more,
  });
  const stores = PALETTE.slice(0, 6).map((color) => own(`${words.store} ${color}`, color * 4, color, { as: "stack" }));
  const cohorts = Array.from({ length: 9 }, (_, n) =>
    own(`2026-0${n + 1}`, 0, "accent", {
      values: Array.from({ length: DAYS - n * 3 }, (_, at) => 0.4 / (1 + at / (3 + n)) + 0.01 * n),
      openFrom: DAYS - n * 3 - 1,
      strength: n / 8,
    }),
  );
  const steps = all.map((point, n) => ({ ...point, label: String(n), title: String(n), isOpen: false }));
  return (
    <>
      <Part title={words.line}>
        <XYChart
          label={words.line}
          points={all}
          unit="currency"
          height="large"
          levels={[{ value: 1700, label: words.goal }]}
          series={[
            own(words.revenue, 0, "accent"),
            own(words.before, 7, "muted", {
              comparison: { titles: all.map(({ key }) => day(daysBefore(key, 364))) },
            }),
          ]}
        />
      </Part>
      <Part title={words.bars} span={6}>
        <XYChart
          label={words.bars}
          points={all}
          unit="currency"
          series={[
            own(words.revenue, 0, "accent", { as: "bar" }),
            own("ROAS", 0, "contrast", { values: values(3).map((value) => value / 400), unit: "times" }),
          ]}
        />
      </Part>
      <Part title={words.stack} span={6}>
        <XYChart label={words.stack} points={all} unit="count" series={stores} />
      </Part>
      <Part title={words.many} span={6}>
        <XYChart label={words.many} points={steps} unit="ratio" series={cohorts} />
      </Part>
      <Part title={words.interval} span={6}>
        <XYChart
          label={words.interval}
          points={steps.slice(0, 13)}
          unit="currency"
          levels={[{ value: 1200, label: words.cac }]}
          marks={[{ at: 4.4, value: 1200, label: words.cac }]}
          series={[
            own(words.revenue, 0, 3, {
              values: values(0, 13).map((_, n) => 500 + 160 * n),
              band: values(0, 13).map((_, n) => [500 + 140 * n - 60, 500 + 180 * n + 60] as const),
            }),
          ]}
        />
      </Part>
      <Part title={words.waterfall} span={6}>
        <Waterfall
          label={words.waterfall}
          unit="currency"
          onPick={() => {}}
          steps={[
            { key: "revenue", label: words.revenue, value: 120_000, isTotal: true },
            { key: "cost", label: words.cost, value: -48_200.5 },
            { key: "fees", label: words.fees, value: -6_100 },
            { key: "media", label: words.media, value: -22_400 },
            { key: "profit", label: words.profit, value: 43_299.5, isTotal: true },
          ]}
        />
      </Part>
      <Part title={words.list} span={6}>
        <BarList
          label={words.list}
          unit="currency"
          onPick={() => {}}
          rows={PALETTE.slice(0, 5).map((n) => ({
            key: String(n),
            label: `${words.store} ${n}`,
            value: n === 5 ? -1200 : 24_000 / n,
            note: n === 1 ? "41,2%" : undefined,
          }))}
        />
      </Part>
    </>
  );
}

interface Row {
  readonly name: string;
  readonly revenue: number;
  readonly margin: number | null;
  readonly change: number;
}

function Tables() {
  const words = t().design;
  const rows: readonly Row[] = [
    { name: `${words.store} 1`, revenue: 120_410.2, margin: 41.2, change: 12.4 },
    { name: `${words.store} 2`, revenue: 44_020, margin: null, change: -8.2 },
    { name: `${words.store} 3`, revenue: 3_100.75, margin: 12.8, change: 0 },
  ];
  const columns: readonly Column<Row>[] = [
    { key: "name", label: words.store, value: ({ name }) => name },
    { key: "revenue", label: words.revenue, unit: "currency", bar: true, value: ({ revenue }) => revenue },
    { key: "margin", label: words.margin, unit: "percent", value: ({ margin }) => margin, reason: () => words.reason },
    {
      key: "change",
      label: words.change,
      unit: "percent",
      value: ({ change }) => change,
      tone: ({ change }) => (change > 0 ? "good" : change < 0 ? "bad" : undefined),
    },
  ];
  return (
    <Table
      caption={words.table}
      rows={rows}
      keyOf={({ name }) => name}
      columns={columns}
      initially={{ by: "revenue", descending: true }}
      remember="design"
      total={{ row: { name: "", revenue: 167_530.95, margin: 33.1, change: 4.2 } }}
      pages={{ from: 1, to: 3, of: 3771, next: () => {} }}
      onPick={() => {}}
    />
  );
}

function Controls() {
  const words = t().design;
  const [by, setBy] = useState<"day" | "week" | "month">("day");
  const [open, setOpen] = useState<"drawer" | "sheet" | undefined>();
  const [text, setText] = useState("");
  const { granularities } = t().toolbar;
  const close = (): void => setOpen(undefined);
  return (
    <div class="design-controls">
      <Segmented
        label={t().toolbar.by}
        isLabelled
        options={[
          ["day", granularities.day],
          ["week", granularities.week],
          ["month", granularities.month],
        ]}
        value={by}
        change={setBy}
      />
      <Select label={words.store} options={[["1", `${words.store} 1`]]} value="1" change={() => {}} />
      <Input label={words.search} type="search" value={text} change={setText} />
      <button type="button" class="primary" onClick={() => setOpen("drawer")}>
        {words.openDrawer}
      </button>
      <button type="button" onClick={() => setOpen("sheet")}>
        {words.openSheet}
      </button>
      <Menu
        label={words.controls}
        items={[
          { is: "action", text: t().card.csv, act: () => {} },
          { is: "line" },
          { is: "choice", text: granularities.day, isChosen: true, act: () => {} },
        ]}
      />
      {open === "drawer" && (
        <Drawer title={words.overlays} close={close}>
          <p>{words.lead}</p>
        </Drawer>
      )}
      {open === "sheet" && (
        <Sheet title={words.overlays} close={close}>
          <p>{words.lead}</p>
        </Sheet>
      )}
    </div>
  );
}
