// See docs/web.md.

// Cells of these serve one row.
const stateful = /<(input|select|textarea|details|dialog|audio|video|iframe|[a-z][^\s>]*-)|contenteditable| is=/i;

const fields = "input,select,textarea";

const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy?.("cellfactory", { createHTML: String });

const tokens = /"[^]*?(?<!\\)(?:\\\\)*"|[-\d][-+.\de]*/gi;

// A text that was cut may end with a lone surrogate, which JSON cannot hold.
/** @param {any} value */
const json = (value) => JSON.stringify(value)?.replace(/(?<!\\)((?:\\\\)*)\\ud[^0-7]../g, "$1\\ufffd");

// `texts` keep all digits of `numbers`.
/** @param {URL | string} url @param {RequestInit} options */
async function readRows(url, { signal, ...options }) {
  const signals = /** @type {any} */ (AbortSignal), limit = signals.timeout(30_000);
  const response = await fetch(url, { ...options, signal: signals.any([limit, signal ?? limit]) }), { ok, status, headers } = response;
  let text = await response.text();
  try {
    if (/ndjson|jsonl/.test(headers.get("Content-Type") ?? "")) text = `[${text.trim().replace(/\n\s*/g, ",")}]`;
    const value = JSON.parse(text), { rows = value, total } = value, end = value.at?.(-1) ?? value;
    if (!ok) throw value.detail;
    // The factory broke off.
    if (end.error?.detail && (value.rows || `${Object.keys(end)}` === "error")) throw end.error.detail;
    /** @type {any} */
    const numbers = [], numbered = JSON.parse(text.replace(tokens, (token) => token[0] === '"' ? token : `${numbers.push(token) - 1}`));
    const texts = (numbered.rows ?? numbered).map((/** @type {any} */ row) => json(row).replace(tokens, (token) => numbers[token] ?? token));
    return { rows, texts, total };
  } catch (detail) {
    const message = typeof detail === "string" ? detail : `the server answered ${ok ? "no rows" : status}`;
    const after = headers.get("Retry-After") ?? "", seconds = Math.max(0, Number(after) || Math.ceil((Date.parse(after) - Date.now()) / 1000));
    throw Object.assign(new Error(message), { status, isFinal: /^4(?!08|2[59])/.test(`${status}`), seconds });
  }
}

/** @type {typeof import("./cells.js").render} */
export async function render(kind, rows, { factory = import.meta.url, owner, id, etag, texts, signal } = {}) {
  const items = rows.map((row, index) => {
    const item = { kind: typeof kind === "string" ? kind : kind(row, index), id: id?.(row, index), etag: etag?.(row, index) };
    return `${json(item).slice(0, -1)},"data":${texts?.[index] ?? json(row) ?? "{}"}}`;
  });
  // Without a type: no preflight.
  const member = owner ? `"owner":${json(owner)},` : "", body = `{${member}"rows":[${items}]}`;
  const answer = await readRows(new URL("cells?format=ndjson&on_error=skip", factory), { method: "POST", body, signal });
  const answers = new Map(answer.rows.map((/** @type {any} */ row) => [row.index, row]));
  return rows.map((row, index) => answers.get(index) ?? { index, error: { detail: "no cell was sent" } });
}

// Names of elements hide members.
/** @param {any} node */
const own = (node) => node === document || node instanceof HTMLFormElement ? new Proxy(node, {
  get(node, name) {
    const member = Reflect.get(Object.getPrototypeOf(node), name, node);
    return typeof member === "function" ? member.bind(node) : member;
  },
}) : node;

/** @param {any} node */
const isChoice = (node) => node.matches?.("[type=checkbox],[type=radio]");

// Images go by their files, others by their ids or names, and what somebody may choose by its value, too. Radio buttons of a group may have ids by their places.
// Members of custom elements count for nothing: only in the page they are there.
/** @param {any} node */
const keyOf = (node) => node.getAttribute?.("src") ?? (!node.matches?.("[type=radio]") && node.id || node.getAttribute?.("name")) + [isChoice(node) && node.getAttribute?.("value")];

// Attributes with a program: under Trusted Types, they come with HTML of the policy only. `http-equiv` and `rel` act as soon as they are there.
/** @param {any} node */
const programs = (node) => [...node.attributes ?? []].filter(({ name }) => /^(on|srcdoc$|http-equiv|rel$)/.test(name)).map(({ name, value }) => name + value).join();

// What cells drew of elements that have attributes of their own: their attributes, and whether they had content.
/** @type {WeakMap<any, any>} */
const drawings = new WeakMap();

/** @param {any} root */
function note(root) {
  for (const node of [root, ...root.querySelectorAll("*")]) {
    const element = own(node);
    if (hasOwn(element)) drawings.set(node, [element.getAttributeNames(), element.firstChild]);
    if (element.localName === "template") note(element.content);
  }
}

// Whether an element sets attributes itself, such as `open`. It keeps those that no cell drew.
/** @param {any} node */
const hasOwn = (node) => /-|details|dialog/.test(node.localName + node.getAttribute?.("is"));

// What nodes are told apart by, while a row is made like another: their own, and the names in them, as a label by its field.
/** @type {WeakMap<any, any>} */
let marks;

/** @param {any} node */
function marksOf(node) {
  const element = own(node);
  if (!marks.has(node)) marks.set(node, [element.nodeName + keyOf(element) + programs(element), [...element.querySelectorAll?.("[id],[name]") ?? []].map((inner) => keyOf(own(inner)))]);
  return marks.get(node);
}

// Whether one may become the other.
/** @param {any} old @param {any} node */
function isLike(old, node) {
  const here = marksOf(old), there = marksOf(node);
  return here[0] === there[0] && (!here[1][0] || !there[1][0] || here[1].some((/** @type {any} */ name) => there[1].includes(name))) && (!hasOwn(own(old)) || drawings.has(old));
}

// Makes a node like another.
/** @param {any} from @param {any} to */
function patch(from, to) {
  if (!from.attributes) {
    if (from.nodeValue !== to.nodeValue) from.nodeValue = to.nodeValue;
    return;
  }
  const keeps = hasOwn(from), [names, content] = keeps ? drawings.get(from) ?? [[]] : [from.getAttributeNames(), to];
  for (const name of names) if (!to.hasAttribute(name)) from.removeAttribute(name);
  for (const attribute of to.attributes) if (from.getAttribute(attribute.name) !== attribute.value) from.setAttributeNode(attribute.cloneNode());
  if (content ?? to.firstChild) patchChildren(from, to);
  if (keeps) drawings.set(from, drawings.get(to));
}

/** @param {any} from @param {any} to */
function patchChildren(from, to) {
  if (from.localName === "template") [from, to] = [from.content, to.content];
  let old = from.firstChild;
  const drop = () => {
    const gone = own(old);
    old = gone.nextSibling;
    gone.remove();
  };
  const nodes = [...to.childNodes];
  for (const node of nodes) {
    let match = old;
    while (match && !isLike(match, node)) match = own(match).nextSibling;
    // What has focus or state stays if it may be used below.
    while (match && old !== match && !((own(old).contains(own(document).activeElement) || stateful.test(own(old).outerHTML)) && nodes.some((node) => isLike(old, node)))) drop();
    if (match && old === match) old = own(match).nextSibling;
    else from.insertBefore(match ?? node, old);
    if (match) patch(own(match), own(node));
  }
  while (old) drop();
}

/** @returns {any} */
const create = (name = "", members = /** @type {any} */ ({})) => Object.assign(own(document).createElement(name), members);

const parse = (html = "") => create("template", { innerHTML: policy?.createHTML(html) ?? html }).content;

// What a field holds: of a `select` the values that are chosen.
/** @param {any} field */
const stateOf = (field) => field.options ? json([...field.selectedOptions].map(({ value }) => value)) : field[isChoice(field) ? "checked" : "value"];

// What it holds while nobody has changed it. Browsers choose the first option, and take no values that a type does not have.
// Only a textarea has rows. Written as HTML and read again, it would lose a line end at its start.
/** @param {any} field */
const initialOf = (field) => field.rows ? field.defaultValue : stateOf(parse(field.outerHTML).firstChild);

/** @param {any} field @param {any} state */
function hold(field, state) {
  if (stateOf(field) === state) return;
  if (field.options) {
    field.selectedIndex = -1;
    for (const option of field.options) if (JSON.parse(state).includes(option.value)) option.selected = true;
  } else field[isChoice(field) ? "checked" : "value"] = state;
}

// Makes the element of a row like another. Fields that somebody has changed keep what they hold.
/** @param {any} from @param {any} to */
function redraw(from, to) {
  const held = [...from.querySelectorAll(fields)].map((field) => [field, stateOf(field), initialOf(field)]);
  marks = new WeakMap();
  patch(from, to);
  for (const [field, state, initial] of held) if (state === initial) hold(field, initialOf(field));
  // After the others of their radio groups.
  for (const [field, state, initial] of held) if (state !== initial) hold(field, state);
}

/** @type {typeof import("./cells.js").cellTable} */
export function cellTable(host, options) {
  const { src = "", dataSource, page: size = 0 } = options, page = size >= 1 ? Math.floor(size) : dataSource || src.includes("{from}") ? 50 : 1e6;
  const stop = new AbortController(), { signal } = stop;
  /** @type {import("./cells.js").DataSource} */
  const source = dataSource ?? {
    rows: (from, count, signal) => readRows(src.replace("{from}", `${from}`).replace("{count}", `${count}`), { signal }),
  };

  const table = /** @type {import("./table").Internals} */ ({
    rows: new Map(), shown: [], pool: new Map(), loads: new Map(), tops: new Float64Array(1), timers: {}, estimate: 0, count: 0, isCounted: false,
    direction: 1, lastScroll: 0, lead: 0, drift: 0, failures: 0, pause: 0, changes: Promise.resolve(true), clock: 0, pulled: 0, doubt: 0,

    enter(body) {
      table.body = body;
      const tag = (table.tag = /** @type {any} */ ({ tbody: "tr", ul: "li", ol: "li", select: "option" })[body.localName] ?? "div");
      table.around = tag === "tr" ? body.closest("table") : undefined;
      table.header = table.around?.tHead?.rows.length ?? 0;
      table.isAll = options.window === "all" || tag === "option";
      table.above = table.space();
      table.below = table.space();
      body.style.overflowAnchor = "none";
      for (const element of [...body.childNodes]) {
        const { id, etag } = element.dataset ?? {}, index = table.rows.size, content = {};
        if (element.localName === tag && (id ?? etag)) {
          if (tag === "div") element.role = "listitem";
          const row = { index, id, etag, element, content, drawn: content, isKept: true };
          table.rows.set(index, row);
          table.shown.push(row);
        } else element.remove();
      }
      if (tag === "option") return;
      body.prepend(table.above);
      body.append(table.below);
    },

    wrap(content) {
      const { tag } = table, element = create(tag, tag === "div" && { role: "listitem" });
      const cell = tag === "tr" ? element.appendChild(create("td", { colSpan: table.around.rows[0].cells.length })) : element;
      cell.append(content);
      return element;
    },

    space(height = 0) {
      return create(table.tag, { ariaHidden: "true", style: `height:${height}px;padding:0;border:0;margin:0;visibility:hidden` });
    },

    make({ html, text = "", error }) {
      // Who chooses an option chooses no message.
      if (html === undefined) return Object.assign(table.wrap(create("span", { className: error ? "cell-error" : "", textContent: text })), { disabled: error });
      const cell = parse(html), [root, ...others] = cell.children;
      return table.tag !== "div" && !others.length && root?.localName === table.tag ? root : table.wrap(cell);
    },

    fill(row) {
      const { element: old, kind, content = {}, drawn } = row, made = table.make(content);
      row.isKept = stateful.test(made.outerHTML);
      if (row.isKept) note(made);
      let /** @type {any} */ used = drawn ? old : row.isKept || content.error ? undefined : table.pool.get(kind)?.pop();
      table.number(row, made);
      try {
        if (used && programs(used) !== programs(made)) used = undefined;
        if (used) redraw(used, made);
      } catch {
        // The page's policy refuses a change.
        used = table.make(content);
      }
      row.element = used ?? made;
      row.drawn = content;
      if (row.element !== old) old?.replaceWith(row.element);
    },

    retire(row) {
      const { element, kind, isKept, content, drawn } = row, isThere = table.rows.get(row.index) === row;
      table.sizes.unobserve(element);
      element.remove();
      if (isThere && !content) table.rows.delete(row.index);
      if (isThere && isKept) return;
      if (drawn && !drawn.error && !isKept) table.pool.set(kind, [...(table.pool.get(kind) ?? []), element]);
      row.element = row.drawn = undefined;
    },

    view() {
      const root = own(document).scrollingElement ?? own(document).documentElement;
      let scroller = table.body;
      // `overflow-x: auto` makes `overflow-y` so, too, where nothing can be scrolled.
      while (scroller !== root && !(/auto|scroll/.test(getComputedStyle(scroller).overflowY) && own(scroller).scrollHeight > own(scroller).clientHeight + 1)) scroller = own(scroller).parentElement ?? own(own(scroller).getRootNode()).host ?? root;
      const frame = scroller === root ? { top: 0, bottom: innerHeight } : own(scroller).getBoundingClientRect();
      const start = Math.max(0, frame.top), height = Math.max(0, Math.min(innerHeight, frame.bottom) - start), top = start - table.offset();
      const inView = table.shown.filter((row) => table.rows.get(row.index) === row && row.top + row.height > top && row.top < top + height);
      scroller = own(scroller);
      // No other root hears of it.
      scroller.addEventListener("scroll", table.scroll, { signal });
      return { scroller, scroll: scroller.scrollTop, top, height, anchor: inView.find((row) => row.drawn) ?? inView[0] };
    },

    offset: () => table.body.getBoundingClientRect().top - table.body.scrollTop,

    at(top) {
      let low = 0, high = table.count;
      while (low < high - 1) {
        const middle = (low + high) >> 1;
        if (table.tops[middle] > top) high = middle;
        else low = middle;
      }
      return low;
    },

    scroll() {
      table.later("rest", () => table.lay(table.view(), true), 0.15);
      if (!table.isAll) table.schedule();
    },

    schedule() {
      cancelAnimationFrame(table.frame);
      table.frame = requestAnimationFrame(table.update);
    },

    update() {
      const { rows, body, isAll, count, tops, lastScroll } = table;
      if (signal.aborted || !isAll && !body.getClientRects().length) return;
      const view = table.view(), { height, scroll, anchor } = view, top = anchor ? tops[anchor.index] + view.top - anchor.top : view.top;
      if (scroll !== lastScroll) table.direction = scroll > lastScroll ? 1 : -1;
      table.lastScroll = scroll;
      // Even, for styles of odd rows.
      const isDown = table.direction > 0, first = isAll ? 0 : table.at(top - height * (isDown ? 0.4 : 0.9)) & ~1;
      const last = isAll ? count : Math.min(count, first + 999, table.at(top + height * (isDown ? 1.9 : 1.4)) + 1);
      for (const row of table.shown) if (rows.get(row.index) !== row || row.index < first || row.index >= last) table.retire(row);
      table.shown = [];
      let next = table.tag === "option" ? body.firstElementChild : table.above.nextElementSibling;
      for (let index = first; index < last; index += 1) {
        const row = rows.get(index) ?? { index }, old = row.element, isHere = old === next;
        rows.set(index, row);
        if (row.content !== row.drawn) table.fill(row);
        const element = (row.element ??= table.space(tops[index + 1] - tops[index]));
        if (isHere) next = element.nextElementSibling;
        else body.insertBefore(element, next);
        table.number(row, element);
        if (!isHere || old !== element) table.sizes.observe(element);
        table.shown.push(row);
      }
      table.lay(view);
      table.load(first, last);
    },

    lay({ anchor, scroller, scroll }, isResting = false) {
      const { shown, below, tops, count, drift } = table, first = shown[0]?.index ?? 0, last = first + shown.length, was = anchor?.top ?? 0;
      if (table.tag === "option") return;
      const lead = tops[first] + (first && anchor && !isResting ? drift : 0);
      table.setLead(lead < 0 ? tops[first] : lead);
      below.style.height = `${Math.max(0, Math.min(tops[count], 15e6) - tops[last])}px`;
      const offset = table.offset(), places = [...shown, { element: below }].map(({ element }) => element.getBoundingClientRect().top - offset);
      if (!table.estimate && shown[0]?.drawn) {
        table.estimate = (places[shown.length] - places[0]) / shown.length || 1;
        tops.fill(0);
      }
      let old = tops[first];
      for (let index = first; index < count; index += 1) {
        const row = shown[index - first], place = index - first;
        if (row) [row.top, row.height] = [places[place], Math.max(0, places[place + 1] - places[place])];
        const height = row?.drawn ? row.height : tops[index + 1] - old || table.estimate;
        old = tops[index + 1];
        tops[index + 1] = tops[index] + height;
      }
      const moved = anchor ? anchor.top - was : 0;
      if (first && !isResting && table.lead > moved) table.setLead(table.lead - moved);
      else {
        if (Math.abs(moved) > 0.1) scroller.scrollTo({ top: scroll + moved, behavior: "instant" });
        table.lastScroll = scroller.scrollTop;
      }
      table.drift = table.lead - tops[first];
    },

    setLead(height) {
      for (const row of table.shown) row.top += height - table.lead;
      table.lead = height;
      table.above.style.height = `${height}px`;
    },

    setCount(size, isCounted, origin = (index) => index) {
      const { rows, tops, count, estimate, header } = table, next = Math.max(0, Math.min(Math.floor(size) || 0, 1e6));
      table.rows = new Map();
      table.tops = new Float64Array(next + 1);
      for (let index = 0; index < next; index += 1) {
        const old = origin(index), row = rows.get(old);
        if (row) table.rows.set((row.index = index), row);
        table.tops[index + 1] = table.tops[index] + (old < count ? tops[old + 1] - tops[old] : estimate || 40);
      }
      table.count = next;
      if (table.tag === "div" && !table.body.role !== !next) table.body.role = next ? "list" : null;
      table.isCounted = isCounted;
      if (table.around) table.around.ariaRowCount = `${isCounted ? next + header : -1}`;
    },

    number({ index }, element) {
      const { tag, isCounted, count, header } = table;
      const numbers = tag === "tr" ? { ariaRowIndex: index + 1 + header } : { ariaPosInSet: index + 1, ariaSetSize: isCounted ? count : -1 };
      for (const [name, value] of Object.entries(numbers)) if (element[name] != value) element[name] = value;
    },

    name: ({ id, index }) => `${Object(id) === id ? json(id) : id ?? "#" + index}`,

    known: () => new Map([...table.rows.values()].filter(({ content }) => content).map((row) => [table.name(row), row])),

    entries({ rows, texts }, from = 0) {
      const { kind = "", key = "id", render } = options;
      return rows.map((data, place) => ({
        index: from + place, data, text: texts?.[place], id: source.id && render !== "src" ? source.id(data) : data?.[key],
        kind: source.kind?.(data) ?? (typeof kind === "string" ? kind : kind(data)),
      }));
    },

    async render(entries, signal, old = []) {
      if (options.render === "src") return entries.map(({ data }) => data ?? {});
      return render((row, place) => entries[place].kind, entries.map(({ data }) => data), {
        ...options, signal, texts: entries.map(({ text }) => text), id: (row, place) => entries[place].id, etag: (row, place) => old[place]?.etag,
      });
    },

    take({ index, id, data, kind }, { etag, html, text, unchanged, error }, row = { index }) {
      table.rows.set(index, Object.assign(row, { index, id, data, kind }));
      if (row.content && !row.content.error && (unchanged || (etag && etag === row.etag))) return;
      if ((html ?? text) === undefined) error ??= { detail: "no cell was sent" };
      // What no factory says would have later requests refused.
      row.etag = /^[!-~]{1,99}$/.test(etag) ? etag : undefined;
      row.content = error ? { text: error.detail ?? error.title, error } : { html, text };
      if (error) table.tell("cell-error", { error, id, kind, index, row: data });
      if (table.body === host && table.tag === "div" && /^\s*<tr\b/i.test(html)) {
        const around = create("table");
        table.body.role = null;
        host.replaceChildren(around);
        table.shown = [];
        table.enter(around.createTBody());
        table.setCount(table.count, table.isCounted);
      }
    },

    async ask(from, asked, signal, found = []) {
      const answer = /** @type {any} */ (await source.rows(from, asked, signal)), { rows = answer, texts, total = await source.count } = answer;
      const entries = table.entries({ rows: rows.slice(0, asked), texts }, from), size = entries.length, end = from + size;
      entries.unshift(...found);
      // Servers may give fewer rows at once, but for those that give all.
      if (total > end && size % asked && page < 1e6) return table.ask(end, asked - size, signal, entries);
      return { entries, total: size < asked ? end : Math.max(end, total ?? 1e9) };
    },

    async bring(starts, signal, held) {
      const before = [...table.rows], pages = await Promise.all(starts.map((from) => table.ask(from, page, signal)));
      const entries = pages.flatMap(({ entries }) => entries), old = entries.map((entry) => {
        const name = table.name(entry), row = held?.get(name);
        held?.delete(name);
        return row;
      });
      const answers = await table.render(entries, signal, old);
      signal.throwIfAborted();
      // What has come meanwhile stays.
      if (held) for (const [index, row] of before) if (table.rows.get(index) === row) table.rows.delete(index);
      const total = Math.min(...pages.map(({ total }) => total)), isOther = Math.min(total, 1e6) !== table.count;
      if (held && !table.rows.size) {
        table.doubt = pages.some((page) => page.total !== total) ? Infinity : ++table.clock;
        if (total === table.end) table.end = 0;
      } else if (held || isOther) {
        // The source has changed, or may have.
        table.doubt = Infinity;
        if (isOther && table.isCounted && total < 1e9 && total !== table.end) table.later("retry", table.reload, 1);
        table.end = total;
      }
      if (total < 1e9) table.setCount(total, true);
      // There may be more rows now.
      else if (held || !table.isCounted) table.setCount(Math.max(entries[entries.length - 1].index + 2, table.count), false);
      entries.forEach((entry, place) => {
        const row = table.rows.get(entry.index);
        if (!row?.content && entry.index < table.count) table.take(entry, answers[place], old[place] ?? row);
      });
      table.failures = table.pause = 0;
      table.status?.remove();
      host.ariaBusy = null;
    },

    load(first, last) {
      const { rows, loads, isAll, count } = table, reach = 2 * (last - first) + page;
      const [from, to] = isAll ? [0, count] : table.direction > 0 ? [first, last + reach] : [first - reach, last];
      const isFar = (/** @type {any} */ index) => index < from - reach || index >= to + reach, missing = new Set();
      for (const index of rows.keys()) if (isFar(index)) rows.delete(index);
      table.abort(isFar);
      for (let index = Math.max(0, from); index < Math.min(to, count); index += 1) if (!rows.get(index)?.content) missing.add(index - (index % page));
      for (const start of table.direction > 0 ? missing : [...missing].reverse()) if (!table.failures && loads.size < 3 && !loads.has(start)) table.loadPage(start);
    },

    async loadPage(start) {
      const stop = new AbortController();
      table.loads.set(start, stop);
      await table.attempt(async () => {
        await table.moved;
        await table.bring([start], stop.signal);
      }, stop.signal);
      if (table.loads.get(start) === stop) table.loads.delete(start);
      table.schedule();
    },

    abort(isUnwanted = () => true) {
      for (const [start, stop] of table.loads) if (isUnwanted(start) && table.loads.delete(start)) stop.abort();
    },

    async attempt(work, signal) {
      try {
        await work();
        return true;
      } catch (error) {
        if (!signal.aborted) table.fail(error);
        return false;
      }
    },

    change: (work) => (table.changes = table.changes.catch(String).then(async () => {
      const isDone = !signal.aborted && await table.attempt(work, signal);
      table.update();
      return isDone;
    })),

    move(work) {
      const called = ++table.clock;
      table.abort();
      return (table.moved = table.change(async () => table.pulled > called || (table.doubt > called ? table.pull() : work())));
    },

    async pull() {
      const began = ++table.clock, total = await source.count;
      if (total !== undefined) table.setCount(total, true);
      table.abort();
      await table.bring([...new Set([0, ...table.rows.keys()].map((index) => index - (index % page)))], signal, table.known());
      table.pulled = began;
    },

    reload: () => (table.next ??= table.change(() => {
      table.next = undefined;
      return table.pull();
    })),

    replace: (data) => table.change(async () => {
      // Rows on their way may be as they were.
      if (table.loads.size) table.later("retry", table.reload, 1);
      const held = table.known(), entries = table.entries({ rows: data }).filter((entry) => held.has(table.name(entry)));
      const answers = await table.render(entries, signal);
      entries.forEach((entry, place) => {
        const row = held.get(table.name(entry));
        table.take({ ...entry, index: row.index }, answers[place], row);
      });
    }),

    insert: (data, before) => table.move(async () => {
      const entries = table.entries({ rows: data }), answers = await table.render(entries, signal);
      const known = table.known(), at = before === undefined ? table.isCounted ? table.count : before : known.get(`${before}`)?.index;
      if (at === undefined || entries.some((entry) => known.get(table.name(entry))?.id != null)) return table.pull();
      const size = entries.length;
      table.setCount(table.count + size, table.isCounted, (index) => index < at ? index : index < at + size ? NaN : index - size);
      entries.forEach((entry, place) => table.take({ ...entry, index: at + place }, answers[place]));
    }),

    // Elements have it without ids.
    remove: (ids) => ids ? table.move(async () => {
      const known = table.known(), gone = new Set(ids.map((id) => known.get(`${id}`)?.index));
      if (gone.size < ids.length || gone.has(undefined)) return table.pull();
      const rest = [...table.tops.keys()].filter((index) => !gone.has(index));
      table.setCount(rest.length - 1, table.isCounted, (index) => rest[index]);
    }) : host.replaceWith(),

    later(name, work, seconds) {
      clearTimeout(table.timers[name]);
      table.timers[name] = setTimeout(() => signal.aborted || work(), seconds * 1000);
    },

    fail(error) {
      const seconds = table.pause = error.isFinal ? 0 : Math.min(300, Math.max(1, error.seconds || 2 ** table.failures));
      table.failures += 1;
      table.refresh();
      if (seconds) table.later("retry", table.reload, seconds);
      table.status?.remove();
      if (!table.tell("cell-error", { error, seconds })) return;
      const textContent = `Rows cannot be loaded: ${error.message}.` + (seconds ? ` Trying again in ${seconds} s.` : "");
      table.status = table.wrap(create("span", { role: "alert", textContent }));
      table.body.append(Object.assign(table.status, { className: "cell-status", disabled: true, style: "position:sticky;bottom:0;background:Canvas" }));
    },

    tell: (type, detail) => host.dispatchEvent(new CustomEvent(type, { bubbles: true, cancelable: true, detail })),

    act(event) {
      const sender = own(event.target)?.closest("[data-action]"), row = table.shown.find(({ element }) => element.contains(sender));
      if (!row) return;
      const { id, kind, index, data } = row, { localName, type, dataset } = own(sender);
      const wanted = localName === "form" ? "submit" : own(sender).matches(fields) && !/^(button|submit|reset|image)$/.test(type) ? "change" : "click";
      if (event.type === wanted && !table.tell("cell-action", { action: dataset.action, id, kind, index, row: data, sender })) event.preventDefault();
    },

    refresh(seconds = Math.max(1, table.pause, Math.min(2e6, parseFloat(`${options.refresh}`)))) {
      if (options.refresh && seconds >= 0) table.later("refresh", () => own(document).hidden || table.reload().then(() => table.refresh()), seconds);
    },

    sizes: new ResizeObserver(() => {
      table.lay(table.view());
      table.schedule();
    }),
  });

  table.enter(host.querySelector("[data-rows]") ?? host);
  table.setCount(table.rows.size, false);
  host.ariaBusy = "true";
  const sight = new IntersectionObserver(table.schedule);
  sight.observe(host);
  for (const type of ["click", "change", "submit"]) host.addEventListener(type, table.act, { signal });
  for (const [type, work] of Object.entries({ scroll: table.scroll, resize: table.schedule, online: table.reload, visibilitychange: () => table.refresh(0) })) addEventListener(type, work, { capture: true, signal });
  table.reload();
  table.refresh();
  return {
    reload: table.reload, update: table.replace, insert: table.insert, remove: table.remove,
    disconnect() {
      stop.abort();
      table.abort();
      table.sizes.disconnect();
      sight.disconnect();
      Object.values(table.timers).map(clearTimeout);
    },
  };
}

export class CellTable extends /** @type {any} */ (globalThis.HTMLElement ?? Object) {
  static observedAttributes = ["kind", "src", "factory", "refresh"];

  constructor() {
    super();
    // They may have been set before the module was there.
    const { dataSource, owner } = this;
    delete this.dataSource;
    delete this.owner;
    this.given = /** @type {any} */ ({ dataSource, owner });
  }

  connectedCallback() {
    this.disconnect?.();
    const options = (this.options = { ...this.given });
    for (const { name, value } of this.attributes) options[name] ??= value;
    if (this.isConnected && (options.src || options.dataSource)) Object.assign(this, cellTable(/** @type {any} */ (this), options));
  }

  disconnectedCallback() {
    this.disconnect?.();
  }

  /** @param {string} _name @param {any} old @param {any} value */
  attributeChangedCallback(_name, old, value) {
    if (old !== value && this.disconnect) this.connectedCallback();
  }

  get dataSource() {
    return this.given?.dataSource;
  }

  /** @param {any} value */
  set dataSource(value) {
    if (this.dataSource !== (this.given.dataSource = value)) this.connectedCallback();
  }

  get owner() {
    return this.given?.owner;
  }

  /** @param {any} value */
  set owner(value) {
    this.given.owner = value;
    if (this.options) this.options.owner = value;
    if (this.known !== (this.known = json(value))) this.reload?.();
  }
}

// Another factory's module may have defined it, and Node has no elements.
try {
  customElements.define("cell-table", /** @type {any} */ (CellTable));
} catch {}
