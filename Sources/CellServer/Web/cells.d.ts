/** The types of cells.js. The guide is docs/web.md. */

/** A value that may be there at once or later. */
type Later<T> = T | Promise<T>;

/** Rows of a source. */
export interface Page<Row = any> {
  rows: Row[];
  /** The JSON of each row, if numbers must keep their digits. */
  texts?: string[];
  /** How many rows there are in all; without it, a page that is too short is the last. */
  total?: number;
}

/** Where rows come from. */
export interface DataSource<Row = any> {
  /** How many rows there are, read at each `reload()`; without it, a page that is too short is the last. */
  readonly count?: Later<number | undefined>;
  /** Rows from an index on, at most `count`. */
  rows(from: number, count: number, signal: AbortSignal): Later<Row[] | Page<Row>>;
  /** The kind of a row; without it, the option `kind`. */
  kind?(row: Row): string;
  /** What a row is known by; without it, its member named by the option `key`. */
  id?(row: Row): string | number | undefined;
}

/** A row as the factory answers it. */
export interface RenderedRow {
  index: number;
  kind?: string;
  id?: string | number | boolean | null;
  etag?: string;
  html?: string;
  /** The content of a text cell. */
  text?: string;
  /** The cell is the one that its sender has. */
  unchanged?: boolean;
  /** What is wrong with the row: a problem document. */
  error?: { type?: string; title?: string; status?: number; detail?: string; errors?: { pointer: string; type: string; detail: string }[] };
}

export interface RenderOptions<Row = any> {
  /** The base URL of the factory; by default where the module came from. */
  factory?: string | URL;
  /** What every row sees as `owner.…`. */
  owner?: Record<string, any>;
  /** The id of a row, which comes back with it. */
  id?: (row: Row, index: number) => any;
  /** The etag of the cell that there is already. */
  etag?: (row: Row, index: number) => string | undefined;
  /** The JSON of each row, if numbers must keep their digits. */
  texts?: (string | undefined)[];
  signal?: AbortSignal;
}

/**
 * Asks a factory for the cells of rows, in their order. A bad row has an `error` in place of its cell. Runs on Node, too, from 18.17 on;
 * there, give `factory`. Rejects with an Error that has `status` and `seconds` (of `Retry-After`) if the factory refuses all.
 */
export function render<Row = any>(
  kind: string | ((row: Row, index: number) => string), rows: Row[], options?: RenderOptions<Row>): Promise<RenderedRow[]>;

export interface TableOptions<Row = any> {
  /** The kind of the rows. */
  kind?: string | ((row: Row) => string);
  /** A URL with `{from}` and `{count}`, or of all rows. */
  src?: string;
  /** Instead of `src`: where rows come from, or the rows. */
  dataSource?: DataSource<Row>;
  /** The member of a row that it is known by: `id`. */
  key?: string;
  factory?: string | URL;
  /** `src`: the source answers rows that the factory has rendered. */
  render?: "src" | string;
  /** `all`: all rows are in the page, so that the browser finds text in them. */
  window?: "all" | string;
  /** How many rows are asked for at once: 50; all, if `src` has no `{from}`. */
  page?: number;
  /** Seconds between reloads, while the page is seen. */
  refresh?: number | string;
  owner?: Record<string, any>;
}

/** Each of its changes resolves with whether it went well; if not, the table says so, and keeps what it shows. */
export interface Table<Row = any> {
  /** Asks for the rows near the view again. Unchanged cells are not sent, and not touched. */
  reload(): Promise<boolean>;
  /** Renders rows anew, by their ids. Those that are not near the view are left out. */
  update(rows: Row[]): Promise<boolean>;
  /** Lets rows in before the row with an id, or at the end. The source has them already; if that row is not near the view, this reloads. */
  insert(rows: Row[], before?: string | number): Promise<boolean>;
  /** Lets rows out, by their ids. The source has them no more; if one was not near the view, this reloads. */
  remove(ids: (string | number)[]): Promise<boolean>;
  /** Ends all that the table does. What it shows stays. */
  disconnect(): void;
}

/** Shows the cells of a source's rows in an element: a `tbody`, `ul`, `ol`, `select`, or any other. */
export function cellTable<Row = any>(element: HTMLElement, options: TableOptions<Row>): Table<Row>;

/** `<cell-table kind src key factory render window page refresh>`. It has the methods of a table once it is in the page with a source. */
export class CellTable extends HTMLElement {
  /** Another source starts the table anew. */
  get dataSource(): DataSource | undefined;
  set dataSource(source: DataSource | undefined);
  /** Another owner reloads the rows. One that is equal, as its JSON says, does nothing. */
  get owner(): Record<string, any> | undefined;
  set owner(owner: Record<string, any> | undefined);
  reload(): Promise<boolean>;
  update(rows: any[]): Promise<boolean>;
  insert(rows: any[], before?: string | number): Promise<boolean>;
  /** Lets rows out; without ids, the element leaves the page, as others do. */
  remove(): void;
  remove(ids: (string | number)[]): Promise<boolean>;
  disconnect(): void;
}

/** What a click, change or submit of an element with `data-action` tells. Cancel it to stop what the browser would do. */
export interface CellAction<Row = any> {
  action: string;
  id?: string | number;
  kind: string;
  index: number;
  row: Row;
  sender: HTMLElement;
}

/**
 * What is wrong: with a row, or, without `index`, with loading rows; then the table tries again after `seconds`, or not at all if they
 * are 0, and says so. Cancel the event to say it in other words.
 */
export interface CellError<Row = any> {
  error: any;
  id?: string | number;
  kind?: string;
  index?: number;
  row?: Row;
  seconds?: number;
}

declare global {
  interface HTMLElementTagNameMap {
    "cell-table": CellTable;
  }
  interface HTMLElementEventMap {
    "cell-action": CustomEvent<CellAction>;
    "cell-error": CustomEvent<CellError>;
  }
}
