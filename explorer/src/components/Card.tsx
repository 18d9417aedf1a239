import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Answer } from "../answer.ts";
import { curlOf, download, Failure, type Format, type Params, type Query } from "../api.ts";
import { savePicture } from "../charts/picture.ts";
import { daysOf, fileName } from "../fileName.ts";
import { FILTERABLE, isFiltered } from "../filter.ts";
import { range } from "../format.ts";
import { lacksMargin } from "../margin.ts";
import { known } from "../moment.ts";
import { formatsOf, parametersOf, sqlOf } from "../openapi.ts";
import type { Saving } from "../save.ts";
import { saidBy } from "../serviceTexts.ts";
import { organization } from "../session.ts";
import { lang, t } from "../text.ts";
import { copyText } from "./Copied.tsx";
import { EmptySmall } from "./EmptySmall.tsx";
import { filterText } from "./Filter.tsx";
import { Icon } from "./Icon.tsx";
import { knownText } from "./Known.tsx";
import { type Item, Menu } from "./Menu.tsx";
import { Problem } from "./Problem.tsx";
import { Segmented } from "./Segmented.tsx";
import { ToSettings } from "./ToSettings.tsx";

interface Props<T> {
  /** Identifies it on the page, and names its files. */
  readonly name: string;
  readonly title: string;
  /** The question that it answers. */
  readonly question?: string;
  readonly query: Query;
  readonly answer: Answer<T>;
  readonly note?: ComponentChildren;
  readonly controls?: ComponentChildren;
  /** Its width in twelfths of the page; the whole width on a phone. */
  readonly span?: 3 | 4 | 5 | 6 | 7 | 8 | 9 | 12;
  /** The SQL files of this part, if it uses only some of the answer's. */
  readonly sql?: readonly string[];
  /** The request whose whole answer is downloaded, if the shown one is a page of it. */
  readonly whole?: Query;
  /** Saves what is shown as CSV, if it has what the answer lacks; the answer's own tables are not offered then. */
  readonly saveCsv?: Saving;
  /** Further entries of its menu. */
  readonly items?: readonly Item[];
  /** While the first answer loads, it is as high as what follows: nothing moves then. */
  readonly height?: "small" | "medium" | "large";
  /** What is known before the answer, instead of a placeholder. */
  readonly meanwhile?: ComponentChildren;
  /** Whether nothing of it is known without a margin in the settings. */
  readonly needsMargin?: boolean;
  readonly children: (data: T) => ComponentChildren;
  /** The chart's figures as a table. */
  readonly table?: (data: T) => ComponentChildren;
}

/** A part of a page: title, question, one menu, and its content; without an answer the loading state or the error. */
export function Card<T>(props: Props<T>) {
  const { name, answer, controls, span = 12, table, height = "medium" } = props;
  const [isTable, setTable] = useState(false);
  const place = useRef<HTMLElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const last = useRef<Shown | undefined>(undefined);
  const isWaiting = answer.state === "waiting";
  // Without anything shown before there is no previous picture to keep.
  const data = answer.state === "failed" || (isWaiting && !last.current) ? undefined : answer.data;
  const now: Shown = { title: props.title, question: props.question, note: props.note };
  if (data !== undefined && !isWaiting) {
    last.current = { ...now, content: contentOf(props, data, isTable) };
  }
  // A previous answer keeps its own title: under the new one its figures would be taken for others.
  const { title, question, note, content } = data !== undefined && last.current ? last.current : now;
  const wasHigh = useHeight(body, !isWaiting);
  const words = t().card;
  return (
    <section ref={place} class={`card-box span-${span}`} aria-labelledby={`${name}-title`} data-picture={name}>
      <header class="card-head">
        <div class="card-titles">
          <h2 id={`${name}-title`}>{title}</h2>
          {question && <p class="card-question">{question}</p>}
        </div>
        <div class="card-tools">
          {controls}
          {table && (
            <Segmented
              label={title}
              options={[
                ["chart", <ToolIcon key="chart" name="chart" text={words.chart} />],
                ["table", <ToolIcon key="table" name="table" text={words.table} />],
              ]}
              value={isTable ? "table" : "chart"}
              change={(chosen) => setTable(chosen === "table")}
            />
          )}
          <CardMenu
            {...props}
            hasChart={!isTable}
            figure={() => place.current?.querySelector(".chart-figure") ?? undefined}
          />
        </div>
      </header>
      {note && <p class="note">{note}</p>}
      <div ref={body} class={`card-body${isWaiting ? " waiting" : ""}`} aria-busy={isWaiting}>
        {answer.state === "failed" && <Problem failure={answer.failure} retry={answer.retry} />}
        {isWaiting && data === undefined && props.meanwhile}
        {isWaiting && data === undefined && !props.meanwhile && (
          <p
            class={`skeleton skeleton-${height}`}
            role="status"
            style={wasHigh > 0 ? { height: `${wasHigh}px` } : undefined}
          >
            <span class="unseen">{t().frame.loading}</span>
          </p>
        )}
        {data !== undefined && content}
      </div>
    </section>
  );
}

function contentOf<T>(
  { needsMargin = false, table, children }: Props<T>,
  data: T,
  isTable: boolean,
): ComponentChildren {
  if (needsMargin && lacksMargin(data))
    return (
      <EmptySmall>
        {t().withoutMargin} <ToSettings place="margin" />
      </EmptySmall>
    );
  return isTable && table ? table(data) : children(data);
}

/** What a card shows of an answer, with the texts that belong to it. */
interface Shown {
  readonly title: string;
  readonly question?: ComponentChildren;
  readonly note?: ComponentChildren;
  readonly content?: ComponentChildren;
}

/** The height of an element when it was last settled: a placeholder of that height moves nothing below it. */
function useHeight(place: { readonly current: HTMLElement | null }, isSettled: boolean): number {
  const height = useRef(0);
  useLayoutEffect(() => {
    if (isSettled) height.current = place.current?.clientHeight ?? 0;
  });
  return height.current;
}

const ToolIcon = ({ name, text }: { name: "chart" | "table"; text: string }) => (
  <>
    <Icon name={name} />
    <span class="unseen">{text}</span>
  </>
);

/** The dialect of a file for spreadsheets: that of the page's language, as far as the endpoint offers it. */
export function fileParams(path: string): Params {
  const dialect = { locale: lang.value === "pt" ? "pt-BR" : "en", headings: "labels" };
  const offered = new Set(parametersOf(path).map(({ name }) => name));
  return Object.fromEntries(Object.entries(dialect).filter(([name]) => offered.has(name)));
}

type MenuProps = Pick<Props<unknown>, "name" | "title" | "query" | "whole" | "sql" | "saveCsv" | "items"> & {
  readonly hasChart: boolean;
  readonly figure: () => Element | undefined;
};

function CardMenu({ name, title, query, whole = query, sql, saveCsv, items = [], hasChart, figure }: MenuProps) {
  const [says, setSays] = useState("");
  const words = t().card;
  const say = (text: string): void => {
    setSays(text);
    setTimeout(() => setSays(""), 4000);
  };
  const copy = (text: string) => (): void => {
    copyText(text).then(
      () => say(words.copied),
      () => say(words.notCopied),
    );
  };
  const saving = (save: Saving) => (): void => {
    say(words.saving);
    save().then(
      () => setSays(""),
      (error: unknown) =>
        say(error instanceof Failure ? saidBy(error.message) || t().failure[error.kind] : String(error)),
    );
  };
  const saveAs = (format: Format) =>
    saving(() => download(whole, format, format === "json" ? {} : fileParams(whole.path)));
  const picture = (kind: "svg" | "png") => (): void => {
    const found = figure();
    const about = organization.peek()?.name;
    const days = daysOf(query.params);
    const ofFilter = FILTERABLE.includes(query.path) && isFiltered.value ? filterText() : "";
    const subtitle = [about, ofFilter, days && range(...days), knownText()].filter(Boolean).join(" · ");
    if (found)
      void savePicture(found, { title, subtitle }, `${fileName(about, name, query.params, query.path)}.${kind}`);
  };
  const formats = formatsOf(whole.path);
  const files: Item[] = saveCsv
    ? [{ is: "action", text: words.csv, act: saving(saveCsv) }]
    : (["csv", "xlsx", "json"] as const)
        .filter((format) => formats.includes(format) && (format !== "json" || !formats.includes("csv")))
        .map((format) => ({ is: "action", text: words[format], act: saveAs(format) }));
  const pictures: Item[] =
    hasChart && figure()
      ? (["png", "svg"] as const).map((kind) => ({ is: "action", text: words[kind], act: picture(kind) }))
      : [];
  const sources: Item[] = (sql ?? sqlOf(query.path)).map((file) => ({
    is: "action",
    text: `${words.sql}: ${file.replace(/^sql\//, "").replace(/\.sql$/, "")}`,
    act: copy(
      `lucra sql ${file.replace(/^sql\//, "").replace(/\.sql$/, "")}${known.value && ` --known-at ${known.value}`}`,
    ),
  }));
  const all: Item[] = [
    ...items,
    ...files,
    ...pictures,
    { is: "line" },
    { is: "action", text: words.link, act: copy(location.href) },
    { is: "action", text: words.curl, act: copy(curlOf(query)), data: curlOf(query) },
    ...sources,
  ];
  return (
    <>
      <span class="card-says" role="status">
        {says}
      </span>
      <Menu label={words.more(title)} items={all} />
    </>
  );
}
