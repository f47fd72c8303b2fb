// What cells.js has inside: for those who change it, and for the compiler that checks it. Pages see cells.d.ts.
//
// A table shows a *window* of its rows: those in view, 0.9 screens ahead and 0.4 behind. `above` and `below` take up the
// space of all others. `tops` says where each row would be; rows that were not measured yet are estimated. If rows above the view
// turn out higher or lower, what is in view stays where it is, and `drift` notes by how much the space above is wrong; when nobody
// scrolls, it is put right together with the position of scrolling.

import type { Page, RenderedRow } from "./cells.js";

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
  /** Its cell holds what no row says. */
  isKept?: boolean;
  /** Where it was when it was last measured, in pixels from the body's top, and how far from the next. */
  top?: any;
  height?: any;
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

/** The part of the body that is in view. */
export interface View {
  scroller: any;
  scroll: number;
  top: number;
  height: number;
  anchor?: Row;
}

export interface Internals {
  /** The rows near the view, by index; also those that are on their way and have a placeholder. */
  rows: Map<number, Row>;
  /** Those with an element in the page, in order. */
  shown: Row[];
  /** Elements for the next rows of a kind. */
  pool: Map<any, any[]>;
  /** Pages that are on their way, by their first row. */
  loads: Map<number, AbortController>;
  /** Where each row would be, were all above it as high as they are known or estimated to be. One more than there are rows. */
  tops: Float64Array;
  timers: Record<string, any>;
  /** The height of a row that was not measured: that of the first ones, on average. 0 until then. */
  estimate: number;
  count: number;
  /** Whether the source has said how many rows there are. */
  isCounted: boolean;
  /** 1 downwards, -1 upwards. */
  direction: number;
  lastScroll: number;
  /** The height of the space above the rows, and by how much it differs from `tops`. */
  lead: number;
  drift: number;
  /** How often in a row something failed. Until a page or a reload comes, no pages are asked for. */
  failures: number;
  /** How many seconds after a failure nothing is asked for. */
  pause: number;
  /** The last of the changes, which are made one after another. */
  changes: Promise<boolean>;
  /** The last of those that move rows. Pages wait for it. */
  moved?: Promise<boolean>;
  /** The reload that has not begun: calls until then are the same one. */
  next?: Promise<boolean>;
  /** Counts what tells times apart: calls of `move`, beginnings and ends of `pull`. */
  clock: number;
  /** When the last `pull` that went well began. */
  pulled: number;
  /** When it ended: rows may be out of place for whoever called before, and, if it is infinite, for all. */
  doubt: number;
  /** Rows of the table's head. */
  header?: any;
  frame?: any;
  /** The last total that was another than that of the rows before it. If a reload does not tell it, too, it is asked for once only. */
  end?: number;
  /** The element with the rows in it, the table around it, the spaces above and below, and what says what goes wrong. */
  body?: any;
  around?: any;
  above?: any;
  below?: any;
  status?: any;
  /** The name of a row's element. */
  tag?: any;
  /** All rows are in the page. */
  isAll?: boolean;
  /** Sees rows that become higher or lower by themselves. */
  sizes: ResizeObserver;

  /** Makes an element the body. What a server has rendered stays as rows, all else goes. */
  enter(body: any): void;
  /** An element that a row may be, with what is none by itself. */
  wrap(content: Node): any;
  /** An element without content that takes up space. */
  space(height?: number): any;
  /** A new element for a row. */
  make(content: Content): any;
  /** Gives a row the element of its cell: its own or a used one, patched, or a new one. */
  fill(row: Row): void;
  /** Takes a row's element out of the page. What holds state waits for its row, another element for any row of the kind. */
  retire(row: Row): void;
  /** What is in view now, and the anchor: the row that stays where it is. It is the first in view, rather one that has its cell. */
  view(): View;
  /** The top of the body's content, from the top of the browser's view. */
  offset(): number;
  /** The row at a height. */
  at(top: number): number;
  /** Goes on after scrolling: with the rows near the view, and, when it rests, with what `lay` leaves then. */
  scroll(): void;
  schedule(): void;
  /** Shows the rows near the view, if the body is seen at all. Called for each frame in which something has changed. */
  update(): void;
  /** Measures the rows, gives the spaces their heights, and keeps the anchor where it was. At rest it leaves no drift. */
  lay(view: View, isResting?: boolean): void;
  /** Sets the height of the space above, which moves the rows. */
  setLead(height: number): void;
  /** Sets how many rows there are. `origin` says at which index the row of an index was until now; one that was nowhere is new. */
  setCount(size: number, isCounted: boolean, origin?: (index: number) => number): void;
  /** Tells those who do not see the page which of how many rows an element is. */
  number(row: Row, element: any): void;
  /** What a row is known by. */
  name(row: { id?: any; index: number }): string;
  /** The rows that have their content, by name. */
  known(): Map<any, any>;
  entries(page: Page, from?: number): Entry[];
  /** Asks the factory for cells; `old` are the rows that there are already. */
  render(entries: Entry[], signal: AbortSignal, old?: (Row | undefined)[]): Promise<RenderedRow[]>;
  /** Gives a row what the source and the factory said of it. */
  take(entry: Entry, answer: any, row?: Row): void;
  /** Asks the source for rows beside those that are `found`, and again if it gives fewer than it says there are. `total` is a large number if it is unknown. */
  ask(from: number, count: number, signal: AbortSignal, found?: Entry[]): Promise<{ entries: Entry[]; total: number }>;
  /** Asks the source and the factory for pages. With `held` rows, these are asked about, and all that were there at the call are forgotten. */
  bring(starts: number[], signal: AbortSignal, held?: Map<any, any>): Promise<void>;
  /** Asks for rows that are missing, those in view first, and forgets rows that are far away. */
  load(first: number, last: number): void;
  loadPage(start: number): Promise<void>;
  /** Stops pages that are on their way. */
  abort(isUnwanted?: (start: number) => boolean): void;
  /** Does work; says whether it went well, and the page says if not. */
  attempt(work: () => Promise<unknown>, signal: AbortSignal): Promise<boolean>;
  /** Does work after all earlier changes. */
  change(work: () => Promise<unknown>): Promise<boolean>;
  /**
   * Does work that moves rows, after all earlier changes. Rows may be of before the change and after it, because pages were on their way
   * at the call, or came shortly before: then it pulls. A pull that began after the call has the change already.
   */
  move(work: () => Promise<unknown>): Promise<boolean>;
  /** Asks for the rows near the view anew. Also where `insert` or `remove` do not find a row: the source knows where it is. */
  pull(): Promise<void>;
  reload(): Promise<boolean>;
  replace(data: any[]): Promise<boolean>;
  insert(data: any[], before?: unknown): Promise<boolean>;
  remove(ids?: unknown[]): any;
  later(name: string, work: () => void, seconds: number): void;
  fail(error: any): void;
  tell(type: string, detail: object): boolean;
  /** Turns what people do to a `data-action` into an event. */
  act(event: any): void;
  refresh(seconds?: number): void;
}
