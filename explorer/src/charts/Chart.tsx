import type { EChartsCoreOption } from "echarts/core";
import { useEffect, useRef } from "preact/hooks";
import { short, type Unit } from "../format.ts";
import { lang } from "../text.ts";
import { type Colors, colors, isAnimated, repaint } from "../theme.ts";

export const loadCharts = () => import("./echarts.ts");

interface Props {
  /** Text for screen readers; the figures are in the picture's table. */
  readonly label: string;
  readonly height?: "small" | "medium" | "large";
  readonly option: (colors: Colors) => EChartsCoreOption;
  readonly onClick?: (name: string, data: unknown) => void;
}

type Drawn = ReturnType<Awaited<ReturnType<typeof loadCharts>>["init"]>;

/** A chart in the page's colors, drawn on a canvas: the page's content security policy forbids inline styles. */
export function Chart({ label, height = "medium", option, onClick }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<Drawn | undefined>(undefined);
  const latest = useRef({ option, onClick });
  latest.current = { option, onClick };
  const painted = `${repaint.value} ${lang.value}`;

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    let isGone = false;
    const observer = new ResizeObserver(() => drawn.current?.resize());
    loadCharts().then(({ init }) => {
      if (isGone) return;
      const chart = init(element, null, { renderer: "canvas" });
      chart.on("click", ({ name, data }) => latest.current.onClick?.(String(name), data));
      drawn.current = chart;
      draw(chart, latest.current.option);
      element.dataset.drawn = "true";
      observer.observe(element);
    });
    return () => {
      isGone = true;
      observer.disconnect();
      drawn.current?.dispose();
      drawn.current = undefined;
    };
  }, []);

  // Redraw when the options, the colors or the language change.
  useEffect(() => {
    if (drawn.current) draw(drawn.current, option);
  }, [option, painted]);

  return <div ref={place} class={`chart chart-${height}`} role="img" aria-label={label} />;
}

function draw(chart: Drawn, option: Props["option"]): void {
  const palette = colors();
  chart.setOption({ ...base(palette), ...option(palette) }, { notMerge: true });
}

const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

/** The options that all charts share. Tooltips are on the canvas too, because HTML tooltips need inline styles. */
function base({ series, ink, muted }: Colors): EChartsCoreOption {
  return {
    animation: isAnimated(),
    animationDuration: 250,
    animationDurationUpdate: 250,
    color: [...series],
    textStyle: { fontFamily: FONT, fontSize: 12, color: ink },
    legend: {
      top: 0,
      left: 0,
      icon: "roundRect",
      itemWidth: 10,
      itemHeight: 10,
      itemGap: 14,
      textStyle: { color: muted },
    },
    grid: { top: 34, left: 8, right: 12, bottom: 4, containLabel: true },
  };
}

export function tooltip({ surface, ink, line }: Colors, more: object): object {
  return {
    renderMode: "richText",
    confine: true,
    backgroundColor: surface,
    borderColor: line,
    borderWidth: 1,
    padding: [8, 10],
    textStyle: { color: ink, fontSize: 12, lineHeight: 18 },
    ...more,
  };
}

export function categories({ muted, line }: Colors, names: readonly string[], more: object = {}): object {
  return {
    type: "category",
    data: names,
    axisTick: { show: false },
    axisLine: { lineStyle: { color: line } },
    axisLabel: { color: muted, hideOverlap: true },
    ...more,
  };
}

export function values({ muted, line }: Colors, unit: Unit, more: object = {}): object {
  return {
    type: "value",
    splitNumber: 4,
    axisLine: { show: false },
    axisTick: { show: false },
    axisLabel: { color: muted, formatter: (value: number) => short(value, unit) },
    splitLine: { lineStyle: { color: line } },
    ...more,
  };
}
