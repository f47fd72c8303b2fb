// What cells.js has inside: for those who change it, and for the compiler that checks it. Pages see cells.d.ts.

import type { DataSource, Page, RenderedRow } from "./cells.js";

/** A source of rows, which may be told to forget what it has read. */
export type Source = DataSource & { forget?(): void };

/** What a row shows: its cell, a text, or what is wrong. */
export interface Content {
  html?: string;
  text?: string;
  error?: any;
}

/** A row near the view. */
export interface Row {
  index: number;
  id?: any;
  kind?: any;
  /** As the source gave it. */
  data?: any;
  etag?: string;
  /** Without it, the row is still on its way. */
  content?: Content;
  /** The content that its element shows; without it, the element is a placeholder. */
  drawn?: Content;
  element?: any;
  /** The element whose size is watched. */
  observed?: any;
  /** Its cell holds what no row says. */
  isKept?: boolean;
  /** Where it was when it was last measured, in pixels from the body's top, and how far from the next. */
  top: number;
  height: number;
}

/** What a source said of a row. */
export interface Entry {
  index: number;
  id: any;
  kind: string;
  data: any;
  /** Its JSON. */
  text?: string;
}

export interface Answer {
  entries: Entry[];
  /** How many rows there are in all, if that is known. */
  total?: number;
  /** The index behind its last row. */
  end: number;
}

/** The part of the body that is in view. */
export interface View {
  scroller: any;
  scroll: number;
  top: number;
  height: number;
  anchor?: Row;
}

export interface Internals {
  /** The rows near the view, by index. */
  rows: Map<number, Row>;
  /** Those with an element in the page, in order. */
  shown: Row[];
  /** Elements for the next rows of a kind. */
  pool: Map<any, any[]>;
  /** Pages that are on their way, by their first row. */
  loads: Map<number, AbortController>;
  /** As measured; 0 of others. */
  heights: number[];
  /** The sums of heights: where each row would be, were there nothing above. */
  tops: Float64Array;
  timers: Record<string, any>;
  /** The height of a row that was not measured. */
  estimate: number;
  count: number;
  /** Whether the source has said how many rows there are. */
  isCounted: boolean;
  /** 1 downwards, -1 upwards. */
  direction: number;
  lastScroll: number;
  /** The height of the space above the rows, and how far the rows are below it. */
  lead: number;
  base: number;
  failures: number;
  changes: Promise<boolean>;
  frame?: number;
  isBlocked?: boolean;
  mustReload?: boolean;
  /** The element with the rows in it, those above and below all rows, and the one that says what goes wrong. */
  body?: any;
  above?: any;
  below?: any;
  status?: any;
  /** The name of a row's element. */
  tag?: any;
  isAll?: boolean;
  sizes: ResizeObserver;

  later(name: string, work: () => void, seconds: number): void;
  schedule(): void;
  enter(body: any): void;
  wrap(...content: (Node | string)[]): any;
  space(height?: number): any;
  words(className: string, text: string): any;
  around(): any;
  header(): number;
  make(content: Content): any;
  fill(row: Row): any;
  retire(row: Row): void;
  becomeTable(): void;
  view(): View;
  offset(): number;
  at(top: number): number;
  update(): void;
  lay(view: View): void;
  setLead(height: number): void;
  scroll(view: View, by: number): void;
  settle(): void;
  sum(from: number): void;
  setCount(size: number, isCounted: boolean, at?: number): void;
  number(row: Row): void;
  name(row: { id?: any; index: number }): string;
  known(): Map<string, Row>;
  entries(page: Page, from?: number): Entry[];
  read(starts: number[], signal: AbortSignal): Promise<Answer[]>;
  render(entries: Entry[], signal: AbortSignal, old?: (Row | undefined)[]): Promise<RenderedRow[]>;
  take(entry: Entry, answer: any, row?: Row): void;
  load(first: number, last: number): void;
  loadPage(start: number): Promise<void>;
  abort(isUnwanted: (start: number) => boolean): void;
  recount(answer: Answer): void;
  change(work: () => Promise<unknown>): Promise<boolean>;
  shift(at: number, by: number): void;
  reload(): Promise<boolean>;
  replace(data: any[]): Promise<boolean>;
  insert(data: any[], before?: unknown): Promise<boolean>;
  remove(ids: unknown[]): Promise<boolean>;
  fail(error: any): void;
  succeed(): void;
  retry(): void;
  tell(type: string, detail: object): boolean;
  act(event: any): void;
  refresh(seconds?: number): void;
  start(): Promise<void>;
}
