// @ts-check
/**
 * Cells on a web page: `<cell-table>`, `cellTable(element, options)`, and `render(kind, rows, options)`, also for Node.
 * The guide is docs/web.md; types are in cells.d.ts, and of what is inside in table.d.ts. It needs Baseline 2024.
 */

/** Cells that hold what no row says: typing, playing, being open. Their elements are not used for other rows. */
const stateful = /<(input|select|textarea|details|dialog|audio|video|canvas|iframe|object|embed|[a-z]\w*-)|\b(contenteditable|popover)\b/i;

const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("cellfactory", { createHTML: (html = "") => html });

// MARK: Asking

// An answer with status 2xx.
/** @param {URL} url @param {RequestInit} options */
async function ask(url, { signal, ...options }) {
  const signals = /** @type {any} */ (AbortSignal), limit = signals.timeout(30_000);
  const response = await fetch(url, { ...options, signal: signal ? signals.any([signal, limit]) : limit });
  if (response.ok) return response;
  const { status, headers } = response, problem = await response.json().catch(() => {});
  throw Object.assign(new Error(problem?.detail ?? `the server answered ${status}`), {
    status, problem, isFinal: status < 500 && status !== 429, seconds: Number(headers.get("Retry-After")),
  });
}

// Reads an array, `{"rows": […], "total": …}` or NDJSON. `texts` keep the digits of numbers.
/** @param {Response} response */
async function readRows(response) {
  let text = await response.text();
  if (/ndjson|jsonl/.test(response.headers.get("Content-Type") ?? "")) text = `[${text.trim().replace(/\s*\n\s*/g, ",")}]`;
  try {
    const value = JSON.parse(text), rows = value.rows ?? value;
    const marked = JSON.parse(text.replace(/"(?:[^"\\]|\\.)*"|-?\d[-+.\deE]*/g, (token) => token[0] === '"' ? token : `"\\u0000${token}"`));
    const texts = (marked.rows ?? marked).map((/** @type {any} */ row) => JSON.stringify(row).replace(/"\\u0000(-?\d[-+.\deE]*)"/g, "$1"));
    return { rows, texts, total: value.total };
  } catch {
    throw new Error("the server answered no rows");
  }
}

/**
 * Asks a factory for the cells of rows. A bad row has an `error` in place of its cell.
 * The body has no type of its own, so that browsers send it to another origin without asking first.
 * @type {typeof import("./cells.js").render}
 */
export async function render(kind, rows, { factory = import.meta.url, owner, id, etag, texts, signal } = {}) {
  const items = rows.map((row, index) => {
    const item = { kind: typeof kind === "string" ? kind : kind(row, index), id: id?.(row, index), etag: etag?.(row, index) };
    return `${JSON.stringify(item).slice(0, -1)},"data":${texts?.[index] ?? JSON.stringify(row) ?? "{}"}}`;
  });
  const body = `{${owner ? `"owner":${JSON.stringify(owner)},` : ""}"rows":[${items}]}`;
  const answer = await ask(new URL("cells?format=ndjson&on_error=skip", factory), { method: "POST", body, signal });
  const answers = new Map((await readRows(answer)).rows.map((/** @type {any} */ row) => [row.index, row]));
  if (answers.has(undefined)) throw new Error("the factory broke off");
  return rows.map((row, index) => answers.get(index) ?? { index, error: { detail: "the factory left this row out" } });
}

// Reads a URL: by pages if it has `{from}`, else all at once.
/** @param {string} url @returns {import("./table").Source} */
function urlSource(url) {
  /** @type {Promise<any> | undefined} */
  let all;
  const read = async (path = url) => readRows(await ask(new URL(path, document.baseURI), {}));
  return {
    forget: () => (all = undefined),
    async rows(from, count) {
      if (url.includes("{from}")) return read(url.replace("{from}", `${from}`).replace("{count}", `${count}`));
      const { rows, texts } = await (all ??= read().catch((error) => {
        all = undefined;
        throw error;
      }));
      return { rows: rows.slice(from, from + count), texts: texts.slice(from, from + count), total: rows.length };
    },
  };
}

// MARK: Patching

// The attributes as they were rendered, of elements that may change their own.
/** @type {WeakMap<Element, Map<string, string>>} */
const rendered = new WeakMap();

/** @param {Element} element */
const attributesOf = (element) => new Map([...element.attributes].map(({ name, value }) => [name, value]));

/** @param {Element} root */
function note(root) {
  for (const element of [root, ...root.querySelectorAll("*")]) {
    if (element === root || /-|^d(etails|ialog)$/.test(element.localName)) rendered.set(element, attributesOf(element));
  }
}

// What a node is known by among its siblings. One of another file is another, so that no row shows the picture of the last.
/** @param {any} node */
function keyOf(node) {
  const named = node.matches?.("[id],[name]") ? node : node.querySelector?.("[id],[name]");
  return node.getAttribute?.("src") ?? (named?.id || named?.getAttribute("name"));
}

// Makes a node like another, but for what people and scripts have done in it.
/** @param {any} from @param {any} to */
function patch(from, to) {
  if (!from.attributes) {
    if (from.nodeValue !== to.nodeValue) from.nodeValue = to.nodeValue;
    return;
  }
  const isSelect = from.localName === "select", [state, initial] = /^(checkbox|radio)$/.test(from.type) ? ["checked", "defaultChecked"] : ["value", "defaultValue"];
  const kept = from[state], isTouched = isSelect ? [...from.options].some((option) => option.selected !== option.defaultSelected) : kept !== from[initial];
  const before = rendered.get(from), after = attributesOf(to);
  for (const [name, value] of after) if (before?.get(name) !== value && from.getAttribute(name) !== value) from.setAttribute(name, value);
  for (const name of from.getAttributeNames()) if (!after.has(name) && (before?.has(name) ?? true)) from.removeAttribute(name);
  if (before) rendered.set(from, after);
  // What a custom element has made of itself is its own.
  if (to.firstChild || !before) patchChildren(from, to);
  const next = isTouched ? kept : from[isSelect ? state : initial];
  if (/^(input|select|textarea)$/.test(from.localName) && from[state] !== next) from[state] = next;
}

/** @param {any} from @param {any} to */
function patchChildren(from, to) {
  let old = from.firstChild;
  const drop = () => {
    const gone = old;
    old = old.nextSibling;
    gone.remove();
  };
  for (const next of [...to.childNodes]) {
    let match = old;
    while (match && (match.nodeName !== next.nodeName || keyOf(match) !== keyOf(next))) match = match.nextSibling;
    // What lies between goes; but what would lose its focus or state stays where it is.
    while (match && old !== match && !old.contains(document.activeElement) && !stateful.test(old.outerHTML)) drop();
    if (old === match) old = match?.nextSibling;
    else from.insertBefore(match ?? next, old);
    if (match) patch(match, next);
  }
  while (old) drop();
}

// MARK: The table

// Shows the cells of a source's rows in an element.
/** @type {typeof import("./cells.js").cellTable} */
export function cellTable(host, options) {
  const { page = 50, dataSource: given } = options, stop = new AbortController(), { signal } = stop;
  /** @type {import("./table").Source} */
  const source = Array.isArray(given) ? { count: given.length, rows: (from = 0, count = 0) => given.slice(from, from + count) } : given ?? urlSource(options.src ?? "");

  const table = /** @type {import("./table").Internals} */ ({
    rows: new Map(), shown: [], pool: new Map(), loads: new Map(), heights: [], tops: new Float64Array(1), timers: {},
    estimate: 0, count: 0, isCounted: false, direction: 1, lastScroll: 0, lead: 0, base: 0, failures: 0, changes: Promise.resolve(true),

    later(name, work, seconds) {
      clearTimeout(table.timers[name]);
      table.timers[name] = setTimeout(work, seconds * 1000);
    },

    schedule() {
      table.frame ??= requestAnimationFrame(() => {
        table.frame = undefined;
        table.update();
      });
    },

    // MARK: Elements

    /** Makes an element the one with the rows in it. */
    enter(body) {
      table.body = body;
      const tag = (table.tag = /** @type {any} */ ({ TBODY: "tr", UL: "li", OL: "li", SELECT: "option" })[body.tagName] ?? "div");
      table.isAll = options.window === "all" || tag === "option";
      table.above = table.space();
      table.below = table.space();
      if (tag === "div") body.role = "list";
      body.style.overflowAnchor = "none";
      // What a server has rendered stays, all else goes.
      for (const child of [...body.children]) {
        const { id, etag } = child.dataset, index = table.rows.size;
        if (id ?? etag) {
          const element = child.localName === tag ? child : table.wrap(child.cloneNode(true)), content = {};
          if (tag === "div") element.role = "listitem";
          if (element !== child) child.replaceWith(element);
          note(element);
          const row = { index, id, etag, element, content, drawn: content, isKept: true, top: 0, height: 0 };
          table.rows.set(index, row);
          table.shown.push(row);
        } else child.remove();
      }
      table.setCount(table.rows.size, false);
      if (tag === "option") return;
      body.prepend(table.above);
      body.append(table.below);
    },

    /** An element that a row may be. */
    wrap(...content) {
      const element = document.createElement(table.tag), cell = table.tag === "tr" ? element.appendChild(document.createElement("td")) : element;
      if (cell !== element) cell.colSpan = table.around()?.rows[0]?.cells.length || 1;
      cell.append(...content);
      if (table.tag === "div") element.role = "listitem";
      return element;
    },

    /** An element without content, that takes up space. */
    space(height = 0) {
      const element = document.createElement(table.tag);
      element.ariaHidden = "true";
      element.style.cssText = `height: ${height}px; padding: 0; border: 0; margin: 0; visibility: hidden`;
      return element;
    },

    words(className, text) {
      const element = document.createElement("span");
      element.className = className;
      element.textContent = text;
      return element;
    },

    around: () => table.body.closest("table"),

    header: () => table.around()?.tHead?.rows.length ?? 0,

    /** A new element for a row. */
    make({ html, text = "", error }) {
      if (html === undefined) return table.wrap(table.words(error ? "cell-error" : "cell-text", text));
      const template = document.createElement("template"), { content } = template;
      template.innerHTML = policy?.createHTML(html) ?? html;
      const [root, ...others] = content.children;
      return table.tag !== "div" && !others.length && root?.localName === table.tag ? root : table.wrap(content);
    },

    /** Gives a row the element of its cell: its own or a used one, patched, or a new one. */
    fill(row) {
      const { element: old, kind, content = {}, drawn } = row, made = table.make(content), after = attributesOf(made);
      row.isKept = stateful.test(made.outerHTML);
      const used = drawn ? old : row.isKept || content.error ? undefined : table.pool.get(kind)?.pop();
      if (used) patch(used, made);
      else note(made);
      row.element = used ?? made;
      row.drawn = content;
      rendered.set(row.element, after);
      if (row.element !== old) old?.replaceWith(row.element);
      return row.element;
    },

    /** Takes a row's element out of the page. What holds state waits for its row, other elements for any row of the kind. */
    retire(row) {
      const { element, kind, isKept, content, drawn } = row, isThere = table.rows.get(row.index) === row;
      table.sizes.unobserve(element);
      row.observed = undefined;
      element.remove();
      if (isThere && !content) table.rows.delete(row.index);
      if (isThere && isKept) return;
      const waiting = table.pool.get(kind) ?? [];
      if (drawn && !drawn.error && !isKept && waiting.length < 50) table.pool.set(kind, [...waiting, element]);
      rendered.delete(element);
      row.element = row.drawn = undefined;
    },

    /** Table rows need a table around them. */
    becomeTable() {
      const element = document.createElement("table");
      table.body.role = null;
      table.body.replaceChildren(element);
      table.shown = [];
      table.enter(element.createTBody());
    },

    // MARK: The window

    /** The part of the body that is in view, in pixels from the body's top. */
    view() {
      const root = document.scrollingElement;
      let scroller = table.body;
      while (scroller !== root && !/auto|scroll/.test(getComputedStyle(scroller).overflowY)) scroller = scroller.parentElement ?? root;
      const frame = scroller === root ? { top: 0, bottom: innerHeight } : scroller.getBoundingClientRect();
      const start = Math.max(0, frame.top), height = Math.min(innerHeight, frame.bottom) - start, top = start - table.offset();
      const inView = table.shown.filter((row) => table.rows.get(row.index) === row && row.top + row.height > top && row.top < top + height);
      // The anchor is the row that stays where it is: the first in view, rather one that has its cell.
      return { scroller, scroll: scroller.scrollTop, top, height, anchor: inView.find((row) => row.drawn) ?? inView[0] };
    },

    offset: () => table.body.getBoundingClientRect().top - table.body.scrollTop,

    /** The row at a height. */
    at(top) {
      let low = 0, high = table.count - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (table.tops[middle] > top) high = middle - 1;
        else low = middle;
      }
      return low;
    },

    /** Shows the rows near the view: of one screen ahead, and half a screen behind. */
    update() {
      const { rows, body, tag, isAll, count, lastScroll } = table;
      if (signal.aborted || !body.isConnected) return;
      const view = table.view(), { height, scroll, anchor } = view, top = anchor ? table.tops[anchor.index] + view.top - anchor.top : view.top - table.base;
      if (scroll !== lastScroll) table.direction = scroll > lastScroll ? 1 : -1;
      table.lastScroll = scroll;
      const spare = Math.max(0, height), isDown = table.direction > 0;
      // Even, so that styles of odd rows stay.
      const first = isAll ? 0 : table.at(top - spare * (isDown ? 0.5 : 1)) & ~1;
      const last = isAll ? count : Math.min(count, table.at(top + spare * (isDown ? 2 : 1.5)) + 1);
      for (const row of table.shown) if (rows.get(row.index) !== row || row.index < first || row.index >= last) table.retire(row);
      table.shown = [];
      let next = tag === "option" ? body.firstElementChild : table.above.nextElementSibling;
      for (let index = first; index < last; index += 1) {
        const row = rows.get(index) ?? { index, top: 0, height: 0 }, isHere = next && next === row.element;
        rows.set(index, row);
        const element = row.content === row.drawn ? (row.element ??= table.space(table.heights[index] || table.estimate)) : table.fill(row);
        if (isHere) next = element.nextElementSibling;
        else body.insertBefore(element, next);
        table.number(row);
        if (row.observed !== element) table.sizes.observe((row.observed = element));
        table.shown.push(row);
      }
      table.lay(view);
      table.load(first, last);
    },

    /** Gives the spaces above and below the rows their heights, and keeps the anchor where it was. */
    lay(view) {
      const { shown, below, tops, heights, count } = table, { anchor } = view;
      if (table.tag === "option") return;
      const first = shown[0]?.index ?? 0, was = anchor?.top ?? 0, kept = anchor && first ? was - table.base - tops[anchor.index] + tops[first] : -1;
      table.setLead(kept < 0 ? tops[first] : kept);
      below.style.height = `${Math.max(0, Math.min(tops[count], 15e6) - tops[first + shown.length])}px`;
      const offset = table.offset(), places = [...shown.map(({ element }) => element), below].map((element) => element.getBoundingClientRect().top - offset);
      table.base = places[0] - table.lead;
      shown.forEach((row, place) => {
        row.top = places[place];
        row.height = Math.max(0, places[place + 1] - row.top);
        if (row.drawn) heights[row.index] = row.height;
      });
      table.sum(first);
      const moved = anchor ? anchor.top - was : 0;
      if (first && table.lead > moved) table.setLead(table.lead - moved);
      else table.scroll(view, moved);
    },

    /** Sets the height of the space above, and so moves the rows. */
    setLead(height) {
      for (const row of table.shown) row.top += height - table.lead;
      table.lead = height;
      table.above.style.height = `${height}px`;
    },

    scroll({ scroller, scroll }, by) {
      if (Math.abs(by) > 0.1) scroller.scrollTo({ top: scroll + by, behavior: "instant" });
      table.lastScroll = scroller.scrollTop;
    },

    /** Once nobody scrolls, gives the space above the height that it should have. */
    settle() {
      const drift = Math.round(table.lead - table.tops[table.shown[0]?.index ?? 0]), view = table.view();
      table.setLead(table.lead - drift);
      table.scroll(view, -drift);
    },

    /** Sums the heights up again, from a row on. Others than were measured are estimated. */
    sum(from) {
      const { heights, tops, count } = table, known = table.estimate ? [] : heights.filter((height) => height);
      if (known.length) [table.estimate, from] = [known.reduce((a, b) => a + b) / known.length, 0];
      for (let index = from; index < count; index += 1) tops[index + 1] = tops[index] + (heights[index] || table.estimate || 40);
    },

    /** Rows come in or go at a place. */
    setCount(size, isCounted, at = Math.min(size, table.count)) {
      const { rows, heights, count } = table, next = Math.max(0, Math.min(Math.floor(size) || 0, 1e6));
      table.heights = [...heights.slice(0, at), ...Array(Math.max(0, next - count)).fill(0), ...heights.slice(at + Math.max(0, count - next))];
      table.tops = new Float64Array(next + 1);
      table.count = next;
      table.isCounted = isCounted;
      table.sum(0);
      for (const index of rows.keys()) if (index >= next) rows.delete(index);
      if (table.tag === "tr") table.around()?.setAttribute("aria-rowcount", `${isCounted ? next + table.header() : -1}`);
    },

    /** Tells those who do not see the page which of how many rows this is. */
    number({ index, element }) {
      const { tag, isCounted, count } = table;
      const numbers = tag === "tr" ? { ariaRowIndex: index + 1 + table.header() } : tag === "option" ? {} : { ariaPosInSet: index + 1, ariaSetSize: isCounted ? count : -1 };
      for (const [name, value] of Object.entries(numbers)) if (element[name] !== `${value}`) element[name] = `${value}`;
    },

    // MARK: Rows

    name: ({ id, index }) => `${id ?? `#${index}`}`,

    /** The rows that came from the source, by name. */
    known: () => new Map([...table.rows.values()].filter(({ content }) => content).map((row) => [table.name(row), row])),

    /** What the source says of rows. */
    entries({ rows, texts }, from = 0) {
      const { kind = "", key = "id", render } = options;
      return rows.map((data, place) => ({
        index: from + place, data, text: texts?.[place], id: render === "src" ? data?.id : source.id ? source.id(data) : data?.[key],
        kind: source.kind?.(data) ?? (typeof kind === "string" ? kind : kind(data)),
      }));
    },

    /** Asks the source for pages. A page that is too short is the last. */
    read: (starts, signal) => Promise.all(starts.map(async (from) => {
      const asked = table.isCounted ? Math.min(page, table.count - from) : page;
      const answer = await source.rows(from, asked, signal), { rows, texts, total } = /** @type {any} */ (Array.isArray(answer) ? { rows: answer } : answer);
      const entries = table.entries({ rows: rows.slice(0, asked), texts }, from), end = from + entries.length;
      return { entries, total: entries.length < asked ? end : total && Math.max(total, end), end };
    })),

    /** Asks the factory for cells. */
    async render(entries, signal, old = []) {
      if (options.render === "src") return entries.map(({ data }) => data);
      const all = [];
      for (let at = 0; at < entries.length; at += 1000) {
        const some = entries.slice(at, at + 1000);
        all.push(...await render((row, place) => some[place].kind, some.map(({ data }) => data), {
          ...options, signal, texts: some.map(({ text }) => text),
          id: (row, place) => some[place].id, etag: (row, place) => old[at + place]?.etag,
        }));
      }
      return all;
    },

    /** Gives a row what the source and the factory said of it. */
    take({ index, id, data, kind }, { etag, html, text, unchanged, error }, row = { index, top: 0, height: 0 }) {
      table.rows.set(index, Object.assign(row, { index, id, data, kind }));
      if (row.content && !row.content.error && (unchanged || (etag && etag === row.etag))) return;
      if ((html ?? text) === undefined) error ??= { detail: "the factory sent no cell" };
      row.etag = etag;
      row.content = { html: error ? undefined : html, text: error ? error.detail ?? error.title : text, error };
      if (error) table.tell("cell-error", { error, id, kind, index, row: data });
      if (table.body === host && table.tag === "div" && /^\s*<tr\b/i.test(html)) table.becomeTable();
    },

    /** Asks for rows that are missing, those in view first, and forgets rows that are far away. */
    load(first, last) {
      const { rows, loads, isAll, count } = table, reach = 2 * (last - first) + page;
      const [from, to] = isAll ? [0, count] : table.direction > 0 ? [first, last + reach] : [first - reach, last];
      const isFar = (index = 0) => index < from - reach || index >= to + reach, middle = (first + last - page) / 2, starts = [];
      if (rows.size > 5 * reach) for (const index of rows.keys()) if (isFar(index)) rows.delete(index);
      table.abort(isFar);
      for (let start = Math.max(0, from - (from % page)); start < Math.min(to, count); start += page) {
        let index = start;
        while (index < Math.min(start + page, count) && rows.get(index)?.content) index += 1;
        if (index < Math.min(start + page, count) && !loads.has(start)) starts.push(start);
      }
      starts.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
      if (!table.isBlocked) for (const start of starts.slice(0, Math.max(0, 3 - loads.size))) table.loadPage(start);
    },

    async loadPage(start) {
      const stop = new AbortController(), { signal } = stop;
      table.loads.set(start, stop);
      try {
        const [answer] = await table.read([start], signal), { entries } = answer, answers = await table.render(entries, signal);
        if (signal.aborted) return;
        table.recount(answer);
        entries.forEach((entry, place) => {
          const row = table.rows.get(entry.index);
          if (!row?.content) table.take(entry, answers[place], row);
        });
        table.succeed();
      } catch (error) {
        if (!signal.aborted) table.fail(error);
      }
      table.abort((other) => other === start);
      table.schedule();
    },

    /** Stops pages that are on their way. */
    abort(isUnwanted) {
      for (const [start, stop] of table.loads) if (isUnwanted(start) && table.loads.delete(start)) stop.abort();
    },

    recount({ total, end }) {
      if (total !== undefined) table.setCount(total, true);
      else if (!table.isCounted && end >= table.count) table.setCount(end + 1, false);
    },

    // MARK: Changes

    /** Makes changes one after another. Resolves with whether all went well. */
    change(work) {
      return (table.changes = table.changes.then(async () => {
        try {
          await work();
          table.succeed();
        } catch (error) {
          if (!signal.aborted) table.fail(error);
        }
        table.update();
        return !table.failures;
      }));
    },

    /** Lets rows in or out: those from `at` on move by some places. */
    shift(at, by) {
      table.abort(() => true);
      const held = [...table.known().values()];
      for (const row of held) if (row.index >= at) row.index += by;
      table.rows = new Map(held.map((row) => [row.index, row]));
      table.setCount(table.count + by, table.isCounted, at);
    },

    reload: () => table.change(async () => {
      table.mustReload = true;
      source.forget?.();
      const starts = [...new Set([0, ...table.rows.keys()].map((index) => index - (index % page)))];
      const pages = await table.read(starts, signal), entries = pages.flatMap(({ entries }) => entries), held = table.known();
      const old = entries.map((entry) => {
        const row = held.get(table.name(entry));
        held.delete(table.name(entry));
        return row;
      });
      const answers = await table.render(entries, signal, old);
      table.abort(() => true);
      table.rows.clear();
      pages.forEach(table.recount);
      entries.forEach((entry, place) => entry.index < table.count && table.take(entry, answers[place], old[place]));
      table.mustReload = false;
    }),

    /** Renders rows anew that came from the source before; those that did not are of no interest yet. */
    replace: (data) => table.change(async () => {
      const held = table.known(), entries = table.entries({ rows: data }).filter((entry) => held.has(table.name(entry)));
      const answers = await table.render(entries, signal);
      entries.forEach((entry, place) => {
        const row = table.known().get(table.name(entry));
        if (row) table.take({ ...entry, index: row.index }, answers[place], row);
      });
    }),

    /** Lets rows in before the row with an id; without one at the end. */
    insert: (data, before) => table.change(async () => {
      const entries = table.entries({ rows: data }), answers = await table.render(entries, signal);
      const at = before === undefined ? table.count : table.known().get(`${before}`)?.index;
      if (at === undefined) return;
      table.shift(at, entries.length);
      entries.forEach((entry, place) => table.take({ ...entry, index: at + place }, answers[place]));
    }),

    remove: (ids) => table.change(async () => {
      for (const id of ids) {
        const row = table.known().get(`${id}`);
        if (row && table.rows.delete(row.index)) table.shift(row.index, -1);
      }
    }),

    // MARK: Events

    /** @param {any} error */
    fail(error) {
      table.failures += 1;
      table.isBlocked = true;
      const seconds = error.isFinal ? undefined : Math.min(300, Math.max(error.seconds || 0, Math.min(30, 2 ** table.failures / 2)));
      const alert = table.words("", options.describe?.(error, seconds) ?? `Rows cannot be loaded: ${error.message}.${seconds ? ` Trying again in ${seconds} s.` : ""}`);
      alert.role = "alert";
      table.status?.remove();
      table.status = table.wrap(alert);
      table.status.className = "cell-status";
      table.status.style.cssText = "position: sticky; bottom: 0; background: Canvas; color: CanvasText";
      table.body.append(table.status);
      table.tell("cell-error", { error, seconds });
      if (seconds) table.later("retry", table.retry, seconds);
    },

    succeed() {
      table.failures = 0;
      table.isBlocked = false;
      table.status?.remove();
      host.ariaBusy = null;
    },

    retry() {
      table.isBlocked = false;
      if (table.mustReload) table.reload();
      table.schedule();
    },

    tell: (type, detail) => host.dispatchEvent(new CustomEvent(type, { bubbles: true, composed: true, cancelable: true, detail })),

    /** Turns what people do to a `data-action` into an event. */
    act(event) {
      const sender = event.target?.closest("[data-action]"), row = sender && table.shown.find(({ element }) => element.contains(sender));
      const isField = sender?.matches("select,textarea,input:not([type=button],[type=submit],[type=reset],[type=image])");
      if (!row || event.type !== (sender.localName === "form" ? "submit" : isField ? "change" : "click")) return;
      const { id, kind, index, data } = row;
      if (!table.tell("cell-action", { action: sender.dataset.action, id, kind, index, row: data, sender })) event.preventDefault();
    },

    /** Reloads every so many seconds while the page is seen. */
    refresh(seconds = Math.max(1, Number(options.refresh))) {
      clearTimeout(table.timers.refresh);
      if (!options.refresh || document.hidden) return;
      table.later("refresh", () => table.reload().then(() => table.refresh()), seconds);
    },

    sizes: new ResizeObserver(() => {
      table.lay(table.view());
      table.schedule();
    }),

    async start() {
      const { count } = source;
      host.ariaBusy = "true";
      await table.change(async () => {
        const total = await (typeof count === "function" ? count.call(source) : count);
        if (total !== undefined) table.setCount(total, true);
        else if (!table.count) table.setCount(1, false);
      });
      if (table.known().size) table.reload();
      table.refresh();
    },
  });

  table.enter(host.querySelector("[data-rows]") ?? host);
  for (const type of ["click", "change", "submit"]) host.addEventListener(type, table.act, { signal });
  document.addEventListener("scroll", () => {
    table.later("settle", table.settle, 0.15);
    if (!table.isAll) table.schedule();
  }, { capture: true, passive: true, signal });
  document.addEventListener("visibilitychange", () => table.refresh(0), { signal });
  addEventListener("resize", table.schedule, { signal });
  addEventListener("online", table.retry, { signal });
  table.start();
  return {
    reload: table.reload, update: table.replace, insert: table.insert, remove: table.remove,
    disconnect() {
      stop.abort();
      table.abort(() => true);
      table.sizes.disconnect();
      Object.values(table.timers).forEach(clearTimeout);
    },
  };
}

/** `<cell-table>`: its options are attributes and properties. */
export class CellTable extends (globalThis.HTMLElement ?? Object) {
  static observedAttributes = ["kind", "src", "key", "factory", "render", "window", "page", "refresh"];

  // What scripts set.
  /** @type {any} */
  #given = {};
  /** @type {any} */
  #table;
  /** @type {any} */
  #timer;

  connectedCallback() {
    // Later, when all is said and all inside is there.
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.disconnectedCallback();
      const options = /** @type {any} */ ({ ...Object.fromEntries(attributesOf(this)), ...this.#given });
      if (this.isConnected && (options.src || options.dataSource)) this.#table = cellTable(this, { ...options, page: Number(options.page) || 50 });
    });
  }

  disconnectedCallback() {
    this.#table?.disconnect();
  }

  attributeChangedCallback() {
    if (this.#table) this.connectedCallback();
  }

  #set(/** @type {string} */ name, /** @type {any} */ value) {
    this.#given[name] = value;
    this.connectedCallback();
  }

  /** @param {any} value */
  set dataSource(value) { this.#set("dataSource", value); }
  /** @param {any} value */
  set owner(value) { this.#set("owner", value); }
  /** @param {any} value */
  set describe(value) { this.#set("describe", value); }

  reload() { return this.#table.reload(); }
  /** @param {any[]} rows */
  update(rows) { return this.#table.update(rows); }
  /** @param {any[]} rows @param {any} [before] */
  insert(rows, before) { return this.#table.insert(rows, before); }
  // Of an element without ids: out of the page.
  /** @param {any[]} [ids] */
  remove(ids) { return ids ? this.#table.remove(ids) : super.remove(); }
}

if (globalThis.customElements) customElements.define("cell-table", CellTable);
