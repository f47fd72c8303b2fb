// The pages of the preview. No library, no build step.
//
// The server draws the pages, and frames with a cell in its nib's scenery. This module fills frames with what is typed,
// follows the files by the server's events, and does what the buttons say. Frames never run scripts.

const page = document.getElementById("preview");
const find = (id) => document.getElementById(id);
const kind = page.dataset.kind;

/** An element with attributes and children. Strings become text. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// MARK: Frames

/** Loads a frame and resolves with its document. Its links lead nowhere: what is typed is drawn in this page. */
function load(frame, address) {
  return new Promise((resolve) => {
    frame.addEventListener("load", () => {
      for (const name of ["click", "auxclick"]) frame.contentDocument?.addEventListener(name, stay);
      resolve(frame.contentDocument);
    }, { once: true });
    frame.src = address;
  });
}

/** Does not follow a link. */
function stay(event) {
  if (event.target.closest("a, area")) event.preventDefault();
}

/** The comments around the cells of a frame, or null if the frame has none or shows another page. Cells may hold such comments, too. */
function marks(frameDocument) {
  if (!frameDocument) return null;
  const walker = frameDocument.createTreeWalker(frameDocument, NodeFilter.SHOW_COMMENT);
  let start = walker.nextNode();
  while (start && start.data !== "cells") start = walker.nextNode();
  let end = null;
  for (let node = start?.nextSibling; node; node = node.nextSibling) {
    if (node.nodeType === Node.COMMENT_NODE && node.data === "/cells") end = node;
  }
  return end && { start, end };
}

/** The elements of the cells of a frame. */
function cellElements(frameDocument) {
  const found = marks(frameDocument);
  const elements = [];
  for (let node = found?.start.nextSibling; node && node !== found.end; node = node.nextSibling) {
    if (node.nodeType === Node.ELEMENT_NODE) elements.push(node);
  }
  return elements;
}

/** Puts other cells into a frame. They are parsed in the frame's document, where nothing runs. */
function fill(frameDocument, content, isText) {
  const found = marks(frameDocument);
  if (!found) return;
  while (found.start.nextSibling !== found.end) found.start.nextSibling.remove();
  if (isText) {
    found.end.before(frameDocument.createTextNode(content));
    return;
  }
  const template = frameDocument.createElement("template");
  template.innerHTML = content;
  found.end.before(template.content);
}

/** Makes a frame as high as its content, but for frames that follow their own height. */
function fit(frame, least = 0) {
  const root = frame.contentDocument?.documentElement;
  if (!root) return;
  frame.style.height = "0";
  frame.style.height = `${Math.min(Math.max(root.scrollHeight, least), 6000)}px`;
}

/** Makes a frame as high as its cells, and shows them rather than the page around them. */
function focusCells(frame) {
  const boxes = cellElements(frame.contentDocument).map((cell) => cell.getBoundingClientRect());
  if (!boxes.length) return;
  const [top, bottom] = [Math.min(...boxes.map((box) => box.top)), Math.max(...boxes.map((box) => box.bottom))];
  frame.style.height = `${Math.min(Math.max(bottom - top, 40) + 48, 480)}px`;
  frame.contentDocument.documentElement.style.paddingBottom = "100vh";
  frame.contentWindow.scrollTo(0, top + frame.contentWindow.scrollY - 24);
}

/** Whether a language is written from right to left. */
function isRightToLeft(tag) {
  try {
    const locale = new Intl.Locale(tag);
    return (locale.getTextInfo?.() ?? locale.textInfo)?.direction === "rtl";
  } catch {
    return false;
  }
}

// MARK: Rendering

/**
 * Where rows are posted, and a body with them, from the JSON of each. A kind that reads a name `rows` takes an object with them for a
 * row, so its rows are sent as items. Each row begins a line, the first line 2.
 */
function request(rows, owner) {
  const isRows = page.dataset.body === "rows";
  const list = rows.map((row) => (isRows ? `\n${row}` : `{"kind":${JSON.stringify(kind)},"data":\n${row}}`)).join(",");
  return { path: isRows ? `/cells/${kind}` : "/cells", body: `{"rows":[${list}\n]${owner.trim() ? `,"owner":${owner}` : ""}}` };
}

/**
 * Renders rows, of each the JSON. Resolves with {rows, locale} or {problem}, or with null if there is no answer. The id of the field
 * comes with the problem if its text is no JSON. `reading` are the controls that say their locale, time zone and time.
 */
async function render(texts, { owner = "", missing, skip = false, reading = {} } = {}) {
  const query = new URLSearchParams({ format: "json", ...reading });
  if (missing) query.set("missing", missing);
  if (skip) query.set("on_error", "skip");
  // Within other JSON, a text that is none could be read as several rows, or break what comes after it. It is sent alone, to be refused.
  const wrong = [...texts.map((text) => ({ text, field: "json" })), { text: owner.trim() ? owner : "{}", field: "owner" }]
    .find(({ text }) => !isJSON(text));
  // The first row starts in line 2, so that lines in errors are those of its text, plus one.
  const { path, body } = wrong ? { path: `/cells/${kind}`, body: `\n${wrong.text}` } : request(texts, owner);
  try {
    const answer = await fetch(`${path}?${query}`, {
      method: "POST", headers: { "Content-Type": "application/json" }, body,
    });
    if (!answer.ok) return { problem: await answer.json(), field: wrong?.field };
    return { rows: (await answer.json()).rows, locale: answer.headers.get("Content-Language") };
  } catch {
    return null;
  }
}

// MARK: Events

/**
 * Calls `receive` for each event of the server. All pages of one browser share one stream, because a browser opens six
 * connections to a host: the page that holds a lock has it and tells the others.
 */
function follow(receive, changeState) {
  const names = ["reloaded", "failed", "checked"];
  const listen = (tell) => {
    const source = new EventSource("/preview/events");
    source.onopen = () => tell({ state: "live" });
    source.onerror = () => tell({ state: "away" });
    for (const name of names) source.addEventListener(name, (event) => tell({ name, data: JSON.parse(event.data) }));
    return source;
  };
  const take = (message) => (message.state ? changeState(message.state) : receive(message.name, message.data));
  if (!navigator.locks || !window.BroadcastChannel) {
    listen(take);
    return;
  }
  const channel = new BroadcastChannel("cellfactory-preview");
  const latest = new Map();
  const own = Math.random();
  let isHolder = false;
  channel.onmessage = ({ data: { hello, to = own, ...message } }) => {
    // A page that is new is told how things are; the others have been told before.
    if (hello && isHolder) for (const known of latest.values()) channel.postMessage({ to: hello, ...known });
    if (!hello && to === own) take(message);
  };
  channel.postMessage({ hello: own });
  navigator.locks.request("cellfactory-preview", () => new Promise(() => {
    isHolder = true;
    listen((message) => {
      // A page that comes later is told how things are now.
      if (message.name === "reloaded") latest.delete("failed");
      latest.set(message.name ?? "state", message);
      channel.postMessage(message);
      take(message);
    });
  }));
}

let failure = null;
let warnings = null;
/** Whether the warnings are what lies over the page. */
let areWarningsShown = false;

function showState(state) {
  const status = find("status");
  const isLive = state === "live";
  status.className = failure ? "status failed" : isLive ? "status live" : "status away";
  status.textContent = failure ? "not reloaded" : isLive ? "live" : "the server is away";
}

/** Shows the diagnostics of a failed load over the page, or hides what was shown; warnings stay until others come. */
function showFailure(data) {
  failure = data;
  if (data) {
    const count = `${data.errors} ${data.errors === 1 ? "error" : "errors"}`;
    showDiagnostics(`${count}: the cells are as they were before`, data.html, false);
  } else if (!areWarningsShown) {
    hideDiagnostics();
  }
  showState("live");
}

function showDiagnostics(title, html, isMild) {
  const box = find("diagnostics");
  const close = element("button", { type: "button" }, "Close");
  close.addEventListener("click", hideDiagnostics);
  const list = element("div");
  list.innerHTML = html;
  box.replaceChildren(element("p", { class: "title" }, title, close), list);
  box.classList.toggle("mild", isMild);
  box.hidden = false;
  areWarningsShown = false;
}

function hideDiagnostics() {
  find("diagnostics").hidden = true;
  find("diagnostics").replaceChildren();
  areWarningsShown = false;
}

function listWarnings() {
  showDiagnostics(find("warnings").textContent, warnings.html, true);
  areWarningsShown = true;
}

function showWarnings(data) {
  const areOther = data.html !== warnings?.html;
  warnings = data;
  const button = find("warnings");
  button.hidden = !data.warnings;
  button.textContent = `${data.warnings} ${data.warnings === 1 ? "warning" : "warnings"}`;
  if (!areWarningsShown) return;
  if (!data.warnings) hideDiagnostics();
  else if (areOther) listWarnings();
}

find("warnings").addEventListener("click", () => {
  if (find("diagnostics").hidden && warnings) listWarnings();
  else if (!failure) hideDiagnostics();
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !find("diagnostics").hidden) hideDiagnostics();
  const isTyping = event.target.matches("input, textarea, select");
  if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    find("find").focus();
  }
});

/**
 * Calls `take` with the page as the server draws it now, null if it does not exist any more, when the files have changed. Its
 * second argument is a set of the kinds that have changed since the last time, or null where they are too many to be named.
 * Calls `whenLive` when the server is there, at first and again.
 */
function followFiles(take, whenLive = () => {}) {
  /** The edition that is shown or on its way. */
  let newest = page.dataset.edition;
  let changed = new Set();
  follow(async (name, data) => {
    if (name === "failed") return showFailure(data);
    if (name === "checked") return showWarnings(data);
    showFailure(null);
    if (data.edition === newest) return;
    newest = data.edition;
    changed = changed && data.kinds ? new Set([...changed, ...data.kinds]) : null;
    let fresh;
    // Any failure but 404 is tried again, after 1, 2, 4 and up to 30 seconds.
    for (let seconds = 1; (fresh = await fetchPage()) === undefined; seconds = Math.min(2 * seconds, 30)) {
      await new Promise((resolve) => { setTimeout(resolve, 1000 * seconds); });
      if (data.edition !== newest) return;
    }
    if (data.edition !== newest) return;
    const kinds = changed;
    changed = new Set();
    take(fresh, kinds);
  }, (state) => {
    showState(state);
    if (state === "live") whenLive();
  });
}

/** The page as the server draws it now; null if it does not exist any more, undefined if the server does not say. */
async function fetchPage() {
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (answer.ok) return new DOMParser().parseFromString(await answer.text(), "text/html");
    return answer.status === 404 ? null : undefined;
  } catch {
    return undefined;
  }
}

// MARK: Finding kinds

/** Hides the items whose kind does not contain what is typed. */
function filter(items, label = (item) => item.dataset.kind) {
  const wanted = find("find").value.trim().toLowerCase();
  let count = 0;
  for (const item of items) {
    item.hidden = !label(item).toLowerCase().includes(wanted);
    if (!item.hidden) count += 1;
  }
  find("nothing").hidden = count > 0 || items.length === 0;
  return count;
}

/** Puts other items into a list of kinds. The focus stays on its kind. */
function relist(list, items) {
  const focused = list.contains(document.activeElement) && document.activeElement.closest("[data-kind]")?.dataset.kind;
  list.replaceChildren(...items);
  if (focused) list.querySelector(`[data-kind="${CSS.escape(focused)}"] a`)?.focus();
}

/** Down goes to the first kind that is shown, from the field and from one to the next. */
function moveByArrows(container) {
  find("find").addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === "ArrowDown") {
      const first = container.querySelector("li:not([hidden]) a");
      if (!first) return;
      event.preventDefault();
      if (event.key === "Enter") first.click(); else first.focus();
    }
  });
  container.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const links = [...container.querySelectorAll("li:not([hidden]) a")];
    const next = links[links.indexOf(document.activeElement) + step];
    event.preventDefault();
    (next ?? (step < 0 ? find("find") : document.activeElement)).focus();
  });
}

// MARK: The page of all kinds

function startIndex() {
  const shelf = find("shelf");
  // Only frames in view are made, however many kinds there are: even an empty one takes milliseconds.
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      observer.unobserve(target);
      draw(target);
    }
  }, { rootMargin: "200px" });

  async function draw(shot) {
    let frame = shot.firstElementChild;
    if (!frame) {
      const title = `${shot.closest(".card").dataset.kind}, drawn small`;
      frame = element("iframe", { class: "small", tabindex: "-1", sandbox: "allow-same-origin", title });
      shot.append(frame);
    }
    const frameDocument = await load(frame, `${shot.dataset.frame}?row=0`);
    const [cell] = cellElements(frameDocument);
    if (!cell) return;
    // The last cell of a page can be at the top, too.
    frameDocument.documentElement.style.paddingBottom = "100vh";
    frame.contentWindow.scrollTo(0, cell.getBoundingClientRect().top - 16);
  }
  const observe = () => shelf.querySelectorAll(".shot[data-frame]").forEach((shot) => observer.observe(shot));
  const apply = () => {
    const count = filter(shelf.querySelectorAll(".card"), (card) => `${card.dataset.kind} ${card.closest(".nib").firstElementChild.textContent}`);
    for (const nib of shelf.querySelectorAll(".nib")) nib.hidden = !nib.querySelector(".card:not([hidden])");
    find("found").textContent = `${count} ${count === 1 ? "kind" : "kinds"}`;
  };

  find("find").addEventListener("input", apply);
  find("find").focus();
  moveByArrows(shelf);
  observe();
  apply();

  followFiles((drawn, changed) => {
    const list = (root) => [...root.querySelectorAll(".nib > h2, .card .name")].map((label) => label.textContent).join("\n");
    if (list(drawn) === list(shelf)) {
      const fresh = drawn.querySelectorAll(".card");
      for (const [place, card] of shelf.querySelectorAll(".card").entries()) {
        card.querySelector(".count").replaceWith(fresh[place].querySelector(".count"));
        const shot = card.querySelector(".shot");
        if (shot?.firstElementChild && (!changed || changed.has(card.dataset.kind))) draw(shot);
      }
    } else {
      relist(shelf, drawn.getElementById("shelf").children);
      observe();
    }
    apply();
  });
}

// MARK: The page of one kind

function startKind() {
  const isText = page.dataset.output === "text";
  const canvas = find("canvas");
  const json = find("json");
  const row = find("row");
  const side = document.querySelector(".side ul");
  const pressed = (id) => find(id)?.getAttribute("aria-pressed") === "true";
  const width = () => document.querySelector("input[name=width]:checked").value;
  const halo = element("div", { class: "halo" });
  canvas.append(halo);
  let hasScrolled = false;
  let loading = 0;
  let frame = null;
  /** The frame of the file as designed, if it is shown. */
  let drawn = null;
  let output = "";
  /** The language of the cells, as the server tells it. */
  let language = null;
  /** Whether something could not be drawn because the server was away. */
  let isBehind = false;
  /** The text of the sample row in the editor; what is typed beyond it is kept when files change. */
  let sample = "";

  /** The locale, time zone and time of rows, as far as they are chosen; nothing for kinds that depend on none. */
  function reading() {
    const chosen = { locale: find("locale")?.value.trim(), time_zone: find("zone")?.value.trim(), now: find("now")?.value };
    if (chosen.now) chosen.now += chosen.now.length === 16 ? ":00Z" : "Z";
    return Object.fromEntries(Object.entries(chosen).filter(([, value]) => value));
  }
  const options = () => ({ owner: find("owner").value, missing: find("missing").value, reading: reading() });
  const sampleRows = () => [...row.options].map((option) => option.value).filter((text) => text);
  /** The rows to draw: all samples, with the edited one in its place, or the edited one alone. */
  function rowTexts() {
    const edited = json.value.trim() ? json.value : "{}";
    const samples = sampleRows();
    if (!pressed("all") || !samples.length) return [edited];
    return samples.map((text, place) => (place === row.selectedIndex ? edited : text));
  }

  // Frames

  function dress(target) {
    const root = target.contentDocument?.documentElement;
    if (!root) return;
    const scheme = pressed("dark") ? "dark" : "light";
    target.style.colorScheme = scheme;
    target.style.background = pressed("dark") ? "#121212" : "#fff";
    root.style.colorScheme = scheme;
    const isChosen = Boolean(find("locale")?.value);
    target.dataset.lang ??= root.lang;
    root.lang = isChosen && language ? language : target.dataset.lang;
    if (pressed("rtl") || (isChosen && isRightToLeft(language))) root.dir = "rtl"; else root.removeAttribute("dir");
  }

  function size(target) {
    target.style.width = width() ? `${width()}px` : "";
    canvas.classList.toggle("sized", width() !== "");
    find("stresses").classList.toggle("sized", width() !== "");
  }

  function fitAll() {
    for (const target of canvas.querySelectorAll("iframe")) fit(target, canvas.clientHeight - 40);
  }

  function newFrame(title) {
    return element("iframe", { sandbox: "allow-same-origin", title });
  }

  /**
   * Loads a frame beside the one it replaces, and shows it when it is ready, filled with an answer if one is given, so that
   * nothing flashes. Resolves with null, and shows nothing, if the frames are loaded anew meanwhile or the server is away.
   */
  async function replace(old, title, query, answer) {
    const mine = loading;
    const next = newFrame(title);
    next.classList.add("arriving");
    size(next);
    canvas.append(next);
    await load(next, `${page.dataset.frame}?${query}`);
    const made = await answer;
    const isMissing = made === null || !next.contentDocument;
    isBehind ||= isMissing;
    if (isMissing || mine !== loading) {
      next.remove();
      return null;
    }
    dress(next);
    if (made) take(made, next);
    // Something leads it away all the same, such as its menu.
    next.addEventListener("load", loadScenery);
    next.classList.remove("arriving");
    old?.remove();
    fit(next, canvas.clientHeight - 40);
    return next;
  }

  /** Loads the page around the cell anew, and beside it the file as designed, if that is wanted. */
  async function loadScenery() {
    loading += 1;
    const drawnBefore = newest;
    const filled = await replace(frame, `The cell ${kind}`, "row=none", render(rowTexts(), options()));
    if (!filled) return;
    frame = filled;
    // What was typed while it was loading is drawn in the old frame alone.
    if (newest !== drawnBefore) redraw();
    if (pressed("designed")) {
      const designed = await replace(drawn, `The cell ${kind} as designed`, "as=designed");
      if (!designed) return;
      drawn = designed;
    } else {
      drawn?.remove();
      drawn = null;
    }
    canvas.classList.toggle("compared", drawn !== null);
    fit(frame, canvas.clientHeight - 40);
    const [cell] = cellElements(frame.contentDocument);
    if (cell && !hasScrolled) canvas.scrollTop = Math.max(0, cell.getBoundingClientRect().top - 40);
    hasScrolled = true;
    showCells();
  }

  /** Shows for a moment where the filled cells are. */
  function showCells() {
    const boxes = cellElements(frame.contentDocument).map((cell) => cell.getBoundingClientRect());
    if (!boxes.length) return;
    const [top, left] = [Math.min(...boxes.map((box) => box.top)), Math.min(...boxes.map((box) => box.left))];
    halo.style.top = `${frame.offsetTop + top}px`;
    halo.style.left = `${frame.offsetLeft + left}px`;
    halo.style.width = `${Math.max(...boxes.map((box) => box.right)) - left}px`;
    halo.style.height = `${Math.max(...boxes.map((box) => box.bottom)) - top}px`;
    halo.classList.remove("shown");
    halo.getBoundingClientRect();
    halo.classList.add("shown");
  }

  /** Shows an answer: cells in a frame, or what is wrong at its line. */
  function take({ rows, problem, field, locale }, target) {
    if (problem) return showProblem(problem, field);
    showProblem(null);
    language = locale;
    dress(target);
    output = rows.map((made) => made[isText ? "text" : "html"] ?? "").join(isText ? "\n" : "");
    fill(target.contentDocument, output, isText);
    fit(target, canvas.clientHeight - 40);
    colour(find("html"), output, isText);
    find("row-json").textContent = JSON.stringify(rows.length === 1 ? rows[0] : rows, null, 2);
    showRequests();
  }

  let newest = 0;
  async function redraw() {
    newest += 1;
    const mine = newest;
    const target = frame;
    const answer = await render(rowTexts(), options());
    // A frame that came meanwhile has an answer of its own.
    if (mine !== newest || !target || target !== frame) return;
    if (answer) take(answer, frame); else isBehind = true;
  }

  let timer = 0;
  function redrawSoon() {
    clearTimeout(timer);
    timer = setTimeout(redrawAll, pressed("stress") ? 150 : 30);
  }

  // The editor

  function numberLines() {
    const lines = find("lines");
    const count = json.value.split("\n").length;
    while (lines.children.length < count) lines.append(element("li"));
    while (lines.children.length > count) lines.lastChild.remove();
    lines.scrollTop = json.scrollTop;
  }

  /** Shows a problem beside the field that it is about, or hides what was shown. `field` is the id of one that holds no JSON. */
  function showProblem(problem, field) {
    for (const line of find("lines").children) line.classList.remove("wrong");
    for (const id of ["json", "owner", "locale", "zone", "now"]) find(id)?.removeAttribute("aria-invalid");
    find("fault").textContent = "";
    if (!problem) return;
    const first = problem.errors?.[0];
    let text = first?.detail ?? problem.detail;
    let line = first?.line ?? problem.line;
    let column = first?.column ?? problem.column;
    let wrong = field ?? "json";
    // Whether a line is one of the editor's.
    const isEdited = field === "json" || !pressed("all");
    if (line) {
      line -= 1;
      text = text.replace(/^line \d+, column \d+: /, "");
    } else if (first?.pointer.startsWith("/rows/0")) {
      ({ line, column } = position(json.value, first.pointer.slice((page.dataset.body === "rows" ? "/rows/0" : "/rows/0/data").length)));
    } else if (first?.pointer.startsWith("/owner")) {
      wrong = "owner";
    } else {
      wrong = /language tag/.test(text) ? "locale" : /time zone/.test(text) ? "zone" : "json";
    }
    // The owner comes after the row.
    if (!field && isEdited && line > find("lines").children.length) wrong = "owner";
    if (field === "owner") {
      text = `Owner, line ${line}, column ${column}: ${text}`;
    } else if (wrong === "owner") {
      text = `Owner: ${text}`;
    } else if (line && isEdited) {
      find("lines").children[line - 1]?.classList.add("wrong");
      text = `Line ${line}, column ${column}: ${text}`;
    }
    find("fault").textContent = text;
    (find(wrong) ?? json).setAttribute("aria-invalid", "true");
  }

  function edit(text) {
    sample = text;
    json.value = text;
    numberLines();
  }

  json.addEventListener("input", () => {
    numberLines();
    redrawSoon();
  });
  json.addEventListener("scroll", () => { find("lines").scrollTop = json.scrollTop; });
  find("owner").addEventListener("input", redrawSoon);
  find("missing").addEventListener("change", redrawAll);
  for (const id of ["locale", "zone", "now"]) find(id)?.addEventListener("input", redrawAllSoon);
  for (const zone of find("zones") ? Intl.supportedValuesOf?.("timeZone") ?? [] : []) {
    find("zones").append(element("option", { value: zone }));
  }
  row.addEventListener("change", () => {
    edit(row.value);
    redrawAll();
  });

  function redrawAll() {
    redraw();
    if (pressed("stress")) stress();
  }

  let readingTimer = 0;
  function redrawAllSoon() {
    clearTimeout(readingTimer);
    readingTimer = setTimeout(redrawAll, 150);
  }

  // Buttons

  for (const button of document.querySelectorAll(".toolbar button")) {
    button.addEventListener("click", async () => {
      button.setAttribute("aria-pressed", String(!pressed(button.id)));
      switch (button.id) {
        case "all": return redraw();
        case "designed": return loadScenery();
        case "stress":
          find("stresses").hidden = !pressed("stress");
          canvas.hidden = pressed("stress");
          return pressed("stress") ? stress() : redraw();
        default:
          for (const target of document.querySelectorAll(".stage iframe")) dress(target);
          return pressed("stress") ? measureAll() : fitAll();
      }
    });
  }
  for (const radio of document.querySelectorAll("input[name=width]")) {
    radio.addEventListener("change", () => {
      for (const target of document.querySelectorAll(".stage iframe")) size(target);
      if (pressed("stress")) measureAll(); else fitAll();
    });
  }

  // Stress

  const cards = new Map();
  let newestStress = 0;

  async function stress() {
    let data;
    try {
      data = parsed(json.value || "{}");
    } catch {
      // The cards stay as they are until what is typed is right.
      if (cards.size) return;
      data = parsed(sampleRows()[0] ?? "{}");
    }
    newestStress += 1;
    const mine = newestStress;
    const variants = stressVariants(data);
    const answer = await render(variants.map(({ data }) => JSON.stringify(data)), { ...options(), skip: true });
    if (mine !== newestStress) return;
    if (!answer) {
      isBehind = true;
      return;
    }
    const { rows, problem, field } = answer;
    if (problem) return showProblem(problem, field);
    await Promise.all(variants.map(async ({ name }, place) => {
      let card = cards.get(name);
      if (!card) {
        const target = newFrame(`${kind}: ${name}`);
        card = { target, note: element("p"), box: element("article", { class: "stress" }) };
        card.box.append(element("h2", {}, name), card.note, target);
        cards.set(name, card);
        find("stresses").append(card.box);
        size(target);
        card.ready = load(target, `${page.dataset.frame}?row=none`);
      }
      await card.ready;
      dress(card.target);
      const made = rows[place];
      card.error = made.error?.detail ?? made.error?.errors?.[0]?.detail;
      fill(card.target.contentDocument, made[isText ? "text" : "html"] ?? "", isText);
      measure(card);
    }));
  }

  function measureAll() {
    for (const card of cards.values()) measure(card);
  }

  /** Says which parts of a cell leave their box. */
  function measure(card) {
    // The page ends where its content does.
    card.target.contentDocument.documentElement.style.paddingBottom = "";
    fit(card.target, 80);
    const found = card.error ? [] : overflows(card.target.contentDocument);
    card.box.classList.toggle("overflows", found.length > 0);
    focusCells(card.target);
    card.note.textContent = card.error ? `Refused: ${card.error}` : found.length ? `Overflows: ${found.join("; ")}` : "Fits";
  }

  // Output

  function showRequests() {
    const { owner, missing, reading } = options();
    const rows = [json.value.trim() || "{}"];
    // A list of rows is one for every kind.
    const { path, body } = owner.trim() ? request(rows, owner.trim()) : { path: `/cells/${kind}`, body: `[${rows}]` };
    // Cells of any kind are HTML, if nothing else is said.
    const format = isText && path === "/cells" ? { format: "text" } : {};
    // What the server does of itself need not be said.
    const isDefault = find("missing").selectedOptions[0].defaultSelected;
    const query = new URLSearchParams({ ...format, ...(isDefault ? {} : { missing }), ...reading }).toString();
    const address = `${location.origin}${path}${query && `?${query}`}`;
    const compact = compacted(body);
    find("request-curl").textContent =
      `curl ${JSON.stringify(address)} \\\n  -H 'Content-Type: application/json' \\\n  -d '${compact.replaceAll("'", "'\\''")}'`;
    // The text itself is sent, since numbers that are parsed and written again lose digits.
    find("request-fetch").textContent = `const body = \`${body.replace(/[\\`$]/g, "\\$&")}\`;
const answer = await fetch(${JSON.stringify(address)}, {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body,
});
const html = await answer.text();`;
    // JSON has no three quotes in a row.
    find("request-python").textContent = `import urllib.request

body = r"""${body}"""
request = urllib.request.Request(
    ${JSON.stringify(address)}, data=body.encode(),
    headers={"Content-Type": "application/json"})
print(urllib.request.urlopen(request).read().decode())`;
  }

  page.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-action=copy]");
    if (!button) return;
    // Without https, browsers let nobody write to the clipboard.
    if (!navigator.clipboard) {
      getSelection().selectAllChildren(find(button.value));
      return;
    }
    await navigator.clipboard.writeText(find(button.value).textContent);
    // A second click finds the button as the first has left it.
    button.dataset.label ??= button.textContent;
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = button.dataset.label; }, 1200);
  });

  startTabs();
  const completion = startCompletion(json, redrawSoon);

  async function loadSchema() {
    const [schema, strict] = await Promise.all(
      ["", "?strict=true"].map(async (query) => (await fetch(`/schemas/${kind}${query}`)).json()));
    find("schema").textContent = JSON.stringify(schema, null, 2);
    const types = namesOf(strict);
    completion.names = types;
    for (const line of find("name-table").tBodies[0].rows) {
      const path = [...line.cells[0].querySelectorAll("span, b")].map((part) => part.textContent).join(".");
      line.cells[1].textContent = types.get(path) ?? types.get([...types.keys()].find((key) => key.endsWith(`.${path}`))) ?? "";
    }
  }

  // Start, and follow the files

  document.title = `${kind} – Cells`;
  find("find").addEventListener("input", () => filter(side.children));
  moveByArrows(side);
  edit(row.value || "{}");
  loadScenery();
  loadSchema();

  followFiles(async (fresh) => {
    if (!fresh) {
      showDiagnostics(`The kind ${kind} is gone`, "<p>It was renamed or removed. The page of all kinds has what there is now.</p>", true);
      return;
    }
    page.dataset.body = fresh.getElementById("preview").dataset.body;
    const redrawn = loadScenery();
    const place = Math.max(row.selectedIndex, 0);
    row.replaceChildren(...fresh.getElementById("row").children);
    row.selectedIndex = Math.min(place, row.options.length - 1);
    relist(side, fresh.querySelector(".side ul").children);
    filter(side.children);
    find("name-table").replaceWith(fresh.getElementById("name-table"));
    loadSchema();
    await redrawn;
    // Not asked before: something may have been typed meanwhile.
    if (json.value === sample && row.value !== sample) {
      edit(row.value || "{}");
      redraw();
    }
    if (pressed("stress")) {
      cards.clear();
      find("stresses").replaceChildren();
      stress();
    }
  }, () => {
    if (!isBehind) return;
    isBehind = false;
    loadScenery();
    if (pressed("stress")) stress();
  });
}

// MARK: Tabs

function startTabs() {
  const tabs = [...find("tabs").children];
  const show = (chosen) => {
    for (const tab of tabs) {
      tab.setAttribute("aria-selected", String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
      find(tab.getAttribute("aria-controls")).hidden = tab !== chosen;
    }
  };
  for (const tab of tabs) {
    tab.addEventListener("click", () => show(tab));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length];
      show(next);
      next.focus();
    });
  }
}

// MARK: Stress

/** Data whose numbers are written again as they were, 1.50 as 1.50, where the browser can do that. */
function parsed(text) {
  if (!JSON.rawJSON) return JSON.parse(text);
  return JSON.parse(text, (_, value, { source }) => (typeof value === "number" ? JSON.rawJSON(source) : value));
}

/** Rows made to break designs. */
function stressVariants(data) {
  // Addresses stay: a broken image says nothing about a design.
  const isAddress = (text) => /^([a-z]+:|\/|#|\?|[\w.-]+\.(png|jpe?g|svg|webp|gif|avif)$)/i.test(text);
  const map = (value, change) => {
    const mapped = change(value);
    if (mapped !== undefined) return mapped;
    if (JSON.isRawJSON?.(value)) return value;
    if (Array.isArray(value)) return value.map((item) => map(item, change));
    if (value && typeof value === "object") {
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, map(inner, change)]));
    }
    return value;
  };
  const texts = (change) => map(data, (value) => (typeof value === "string" && !isAddress(value) ? change(value) : undefined));
  const isNumber = (value) => typeof value === "number" || JSON.isRawJSON?.(value);
  const numbers = (number) => map(data, (value) => (isNumber(value) ? number : undefined));
  const lists = (change) => map(data, (value) => (Array.isArray(value) ? change(value) : undefined));
  const repeated = (list, count) => Array.from({ length: count }, (_, place) => list[place % list.length] ?? "item");
  return [
    { name: "As in the sample", data },
    { name: "Texts 10 times as long", data: texts((text) => Array(10).fill(text).join(" ")) },
    { name: "One long word", data: texts(() => "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft") },
    { name: "Empty texts", data: texts(() => "") },
    { name: "Everything missing", data: {} },
    { name: "Everything null", data: map(data, (value) => (value === data ? undefined : null)) },
    { name: "No items", data: lists(() => []) },
    { name: "One item", data: lists((list) => list.slice(0, 1)) },
    { name: "200 items", data: lists((list) => repeated(list, 200)) },
    { name: "Right-to-left text", data: texts((text) => "مكتبة جديدة في المدينة القديمة ".repeat(Math.max(1, Math.round(text.length / 30)))) },
    { name: "Combining characters", data: texts((text) => [...text].map((character) => `${character}\u0300\u0323\u0306\u0331\u030a`).join("")) },
    { name: "Emoji", data: texts(() => "👩‍👩‍👧‍👦🏳️‍🌈🇪🇺 👍🏽 ✅ 🧑🏿‍🚀") },
    { name: "Markup", data: texts(() => "<script>alert(1)</script><img src=x onerror=alert(1)></td></div>\"'`{{x}}") },
    { name: "Huge numbers", data: numbers(123456789012345680000) },
    { name: "Negative numbers", data: numbers(-987654.321) },
  ];
}

/** What leaves its box in the cells of a frame, as short sentences: the innermost elements, for they are the reason. */
function overflows(frameDocument) {
  const root = frameDocument.documentElement;
  const found = new Map();
  const label = (item) => `<${item.localName}${item.classList.length ? ` class="${item.classList[0]}"` : ""}>`;
  for (const cell of cellElements(frameDocument)) {
    const box = cell.getBoundingClientRect();
    for (const item of [cell, ...cell.querySelectorAll("*")]) {
      const style = frameDocument.defaultView.getComputedStyle(item);
      const inner = item.getBoundingClientRect();
      if (!inner.width || !inner.height || style.position === "fixed") continue;
      let fault = null;
      if (style.display !== "inline" && item.clientWidth > 0 && item.scrollWidth > item.clientWidth + 1) {
        if (style.overflowX === "visible") fault = "is too narrow for its content";
        else if (style.overflowX !== "auto" && style.textOverflow !== "ellipsis") fault = "cuts off its content";
      } else if (inner.right > box.right + 1 || inner.left < box.left - 1) {
        fault = "leaves the cell sideways";
      } else if (inner.bottom > box.bottom + 1 && style.position !== "absolute" && style.display !== "inline") {
        fault = "leaves the cell at the bottom";
      }
      if (!fault) continue;
      for (let outer = item.parentElement; outer; outer = outer.parentElement) found.delete(outer);
      found.set(item, `${label(item)} ${fault}`);
    }
  }
  const wide = root.scrollWidth - root.clientWidth;
  if (found.size && wide > 1) found.set(root, `the page gets ${wide} px too wide`);
  const told = [...new Set(found.values())];
  return told.length > 4 ? [...told.slice(0, 3), `and ${told.length - 3} more`] : told;
}

// MARK: Text

/** Writes HTML into an element with its tags coloured. Takes time that grows with the text alone. */
function colour(target, html, isText) {
  if (isText) {
    target.textContent = html;
    return;
  }
  const coloured = document.createDocumentFragment();
  let rest = 0;
  const span = (name, start, end) => {
    coloured.append(html.slice(rest, start), element("span", { class: name }, html.slice(start, end)));
    rest = end;
  };
  const opening = /<!--[\s\S]*?(?:-->|$)|<\/?[a-zA-Z][^\s>\/]*/g;
  // The end of a tag, an attribute, or any other character in between.
  const inside = /(\/?>)|([^\s=>\/]+)(=(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|[^\s>]*))?|[\s\S]/y;
  for (let match = opening.exec(html); match; match = opening.exec(html)) {
    const isComment = match[0].startsWith("<!--");
    span(isComment ? "note" : "tag", match.index, opening.lastIndex);
    for (let isOpen = !isComment; isOpen && opening.lastIndex < html.length; opening.lastIndex = inside.lastIndex) {
      inside.lastIndex = opening.lastIndex;
      const { index, 1: end, 2: name, 3: value } = inside.exec(html);
      isOpen = !end;
      if (end) span("tag", index, inside.lastIndex);
      if (!value) continue;
      span("attribute", index, index + name.length + 1);
      span("value", rest, inside.lastIndex);
    }
  }
  coloured.append(html.slice(rest));
  target.replaceChildren(coloured);
}

/** Whether a text is one value of JSON. */
function isJSON(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON on one line, with its numbers as written; the text itself if it is not JSON. */
function compacted(text) {
  if (!isJSON(text)) return text;
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_, string) => string ?? "");
}

/** Line and column of the value that a JSON pointer names, counted from 1; of the nearest value around it if there is none. */
function position(text, pointer) {
  const parts = pointer.split("/").slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const token = /\s*("(?:[^"\\]|\\.)*"|[^\s"\[\]{},:]+|[\[\]{},:])/gy;
  let found = 0;
  const next = () => token.exec(text);
  /** Reads a value whose first token was read. `wanted` is what remains of the pointer, or null outside of it. */
  const read = (first, wanted) => {
    if (!first) return;
    const start = first.index + first[0].length - first[1].length;
    if (wanted) found = start;
    if (first[1] === "{" || first[1] === "[") {
      const isObject = first[1] === "{";
      let place = 0;
      let item = next();
      while (item && item[1] !== "}" && item[1] !== "]") {
        let name = String(place);
        if (isObject) {
          try { name = JSON.parse(item[1]); } catch { return; }
          next();
          item = next();
        }
        read(item, wanted?.length && wanted[0] === name ? wanted.slice(1) : null);
        place += 1;
        item = next();
        if (item?.[1] === ",") item = next();
      }
    }
  };
  read(next(), parts);
  const before = text.slice(0, found).split("\n");
  return { line: before.length, column: before.at(-1).length + 1 };
}

/** The names of a schema with their types, by path. */
function namesOf(schema) {
  const names = new Map();
  const resolve = (node) => (node?.$ref ? schema.$defs?.[decodeURIComponent(node.$ref.split("/").at(-1))] : node);
  const typeOf = (node) => {
    const known = resolve(node) ?? {};
    const options = known.anyOf ?? known.oneOf;
    if (options) return [...new Set(options.map(typeOf))].join(" | ");
    if (known.enum) return known.enum.map((value) => JSON.stringify(value)).join(" | ");
    if (known.type === "array") return `list of ${typeOf(known.items)}`;
    return [known.type ?? "any"].flat().join(" | ");
  };
  const walk = (node, path, seen) => {
    const known = resolve(node);
    if (!known || seen.includes(known) || path.length > 8) return;
    const inside = [...seen, known];
    for (const option of known.anyOf ?? known.oneOf ?? []) walk(option, path, inside);
    if (known.items) walk(known.items, path, inside);
    for (const [name, value] of Object.entries(known.properties ?? {})) {
      const key = [...path, name].join(".");
      if (!names.has(key)) names.set(key, typeOf(value));
      walk(value, [...path, name], inside);
    }
  };
  walk(schema, [], []);
  return names;
}

// MARK: Completion

/** Offers the names that the kind reads while a name is typed in JSON. Returns an object whose `names` are offered. */
function startCompletion(field, changed) {
  const list = find("names");
  const state = { names: new Map() };
  let chosen = 0;

  /** Where the caret is: the path of the object around it and the beginning of a name; null where no name can stand. */
  function context() {
    const before = field.value.slice(0, field.selectionStart);
    // The objects and lists around, the outermost first.
    const around = [];
    let name = null;
    let expectsName = false;
    let start = -1;
    for (const match of before.matchAll(/"(?:[^"\\]|\\(?:[^]|$))*("|$)|[\[\]{},:]/g)) {
      const token = match[0];
      start = -1;
      if (token === "{" || token === "[") {
        expectsName = token === "{";
        around.push({ name, isObject: expectsName });
        if (expectsName) name = null;
      } else if (token === "}" || token === "]") {
        name = around.pop()?.name;
        expectsName = false;
      } else if (token === ",") {
        expectsName = around.at(-1)?.isObject ?? false;
      } else if (token === ":") {
        expectsName = false;
      } else if (expectsName) {
        if (match[1] === "\"") name = token.slice(1, -1);
        else start = match.index + 1;
      }
    }
    if (start < 0) return null;
    return { path: around.map((outer) => outer.name).filter((part) => part), typed: before.slice(start), start };
  }

  function close() {
    list.hidden = true;
    field.removeAttribute("aria-activedescendant");
  }

  function offer() {
    const found = context();
    if (!found) return close();
    const prefix = found.path.map((part) => `${part}.`).join("");
    const offered = [...state.names].filter(([path]) => path.startsWith(prefix + found.typed) && !path.slice(prefix.length).includes("."));
    if (!offered.length || (offered.length === 1 && offered[0][0] === prefix + found.typed)) return close();
    list.replaceChildren(...offered.map(([path, type], place) => {
      const name = path.slice(prefix.length);
      const item = element("li", { role: "option", id: `name-${place}`, "data-name": name, "aria-selected": "false" }, name, " ", element("small", {}, type));
      item.addEventListener("mousedown", (event) => {
        event.preventDefault();
        insert(name);
      });
      return item;
    }));
    const line = field.value.slice(0, found.start).split("\n").length;
    list.style.top = `${field.offsetTop + 8 + line * 20 - field.scrollTop + 4}px`;
    list.style.left = "60px";
    list.hidden = false;
    choose(0);
  }

  function choose(place) {
    chosen = (place + list.children.length) % list.children.length;
    [...list.children].forEach((item, index) => item.setAttribute("aria-selected", String(index === chosen)));
    list.children[chosen].scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", list.children[chosen].id);
  }

  function insert(name) {
    const { start } = context();
    const after = field.value.slice(field.selectionStart);
    const ending = after.startsWith("\"") ? "" : "\": ";
    field.setRangeText(name + ending, start, field.selectionStart, "end");
    close();
    field.dispatchEvent(new Event("input"));
    close();
    changed();
  }

  field.addEventListener("input", offer);
  field.addEventListener("blur", close);
  field.addEventListener("keydown", (event) => {
    if (list.hidden) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      choose(chosen + step);
    } else if (event.key === "Enter" || event.key === "Tab") {
      event.preventDefault();
      insert(list.children[chosen].dataset.name);
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  });
  return state;
}

if (kind) startKind(); else startIndex();
