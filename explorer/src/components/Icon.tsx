/** Icons on a grid of 20, drawn with the color of the text around. */
const PATHS = {
  overview: "M3 11l7-7 7 7M5 9.5V16h10V9.5",
  acquisition: "M3 14l4-5 4 3 6-8M13 4h4v4",
  customers:
    "M7.5 9a3 3 0 100-6 3 3 0 000 6zM2 17c0-3 2.5-5 5.5-5s5.5 2 5.5 5M13 3.3a3 3 0 010 5.4M15 12.4c2 .7 3 2.4 3 4.6",
  products: "M3 6.5L10 3l7 3.5v7L10 17l-7-3.5zM3 6.5l7 3.5 7-3.5M10 10v7",
  breakdown: "M4 3v14M4 5h12M4 10h8M4 15h4",
  data: "M3 5c0-1.1 3.1-2 7-2s7 .9 7 2-3.1 2-7 2-7-.9-7-2zM3 5v10c0 1.1 3.1 2 7 2s7-.9 7-2V5M3 10c0 1.1 3.1 2 7 2s7-.9 7-2",
  sql: "M7 5l-4 5 4 5M13 5l4 5-4 5M11 4l-2 12",
  settings: "M3 6h7M14 6h3M12 4v4M3 14h3M10 14h7M8 12v4",
  next: "M8 5l5 5-5 5",
  report: "M5 3h7l3 3v11H5zM12 3v3h3M7.5 10h5M7.5 13.5h5",
  portfolio: "M3 4h14v5H3zM3 11h14v5H3z",
  menu: "M3 6h14M3 10h14M3 14h14",
  more: "M4 10h.01M10 10h.01M16 10h.01",
  down: "M5 8l5 5 5-5",
  close: "M5 5l10 10M15 5L5 15",
  calendar: "M3 5h14v12H3zM3 9h14M7 3v4M13 3v4",
  table: "M3 4h14v12H3zM3 8h14M9 8v8",
  chart: "M4 16V9M8 16V4M12 16v-5M16 16V7",
  alert: "M10 3l8 14H2zM10 8v4M10 14.5h.01",
  check: "M4 10l4 4 8-9",
  clock: "M10 17a7 7 0 100-14 7 7 0 000 14zM10 6v4l3 2",
  info: "M10 17a7 7 0 100-14 7 7 0 000 14zM10 9v5M10 6.5h.01",
  up: "M10 16V5M5 10l5-5 5 5",
  fall: "M10 4v11M5 10l5 5 5-5",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
