// Compares the cells of this nib with rows that were drawn by them, then puts the rows in their place.
//
// The designed cell is read as a pattern: an element with an outlet may be there any number of times, and so may what
// stands between comments that hold the tags of a section; one with a condition, or a case of a plural, may be missing; texts and attributes match
// but for their {{names}}, and attributes that are bound match whatever they are. Elements for the designer only, and
// comments, are not in the rows. A stand-in, and a call, is the other cell as it is drawn for the same row; one with an
// outlet is the other cell of this page, any number of times. All else must be the same.
"use strict";
const OWN = new Set(["cell", "class", "outlet", "tag", "bind", "raw", "embed", "design", "when", "missing", "include", "format", "plural", "case"].map((name) => `data-${name}`));

const collapse = (text) => text.replace(/\s+/g, " ").trim();

/// A text with {{names}} as a pattern of what it may become: a section is there, or not.
function pattern(text) {
  const whole = text.replace(/\{\{[#^](.*?)\}\}.*?\{\{\/\1\}\}/gs, "{{$1}}");
  const parts = whole.split(/\{\{.*?\}\}/s).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "su");
}

// MARK: What was designed

const cellOf = (kind) => document.querySelector(`[data-cell="${kind}"]`);

/// The attributes that the entries of a data-bind set.
const boundBy = (text) => text.split(";").flatMap((entry) =>
  entry.includes(":") ? [entry.trim().match(/^[\w-]+/)[0]] : entry.trim().split(/\s+/));

function read(nodes) {
  const stack = [[]];
  let text = "";
  const flush = () => {
    const whole = collapse(text);
    text = "";
    if (!whole) return;
    const call = whole.match(/^\{\{>(.*)\}\}$/);
    if (call) stack.at(-1).push({ kind: "call", called: call[1].trim() });
    else if (whole.includes("{{")) stack.at(-1).push({ kind: "hole", pattern: pattern(whole) });
    else stack.at(-1).push({ kind: "text", text: whole });
  };
  for (const node of nodes) {
    if (node.nodeType === Node.TEXT_NODE) text += node.data;
    if (node.nodeType === Node.COMMENT_NODE) {
      for (const [, mark] of node.data.matchAll(/\{\{([#^/])/g)) {
        flush();
        if (mark !== "/") {
          stack.push([]);
        } else {
          const items = stack.pop();
          stack.at(-1).push({ kind: "section", items });
        }
      }
    }
    if (node.nodeType === Node.ELEMENT_NODE && !node.hasAttribute("data-design")) {
      flush();
      const included = node.getAttribute("data-include");
      if (included !== null) {
        const isRow = node.hasAttribute("data-outlet");
        stack.at(-1).push(isRow ? { kind: "outlet", element: cellOf(included) } : { kind: "call", called: included });
        continue;
      }
      const isOutlet = node.hasAttribute("data-outlet") || node.hasAttribute("data-tag");
      const isChoice = node.hasAttribute("data-when") || node.hasAttribute("data-case");
      stack.at(-1).push({ kind: isOutlet ? "outlet" : isChoice ? "choice" : "element", element: node });
    }
  }
  flush();
  return stack[0];
}

// MARK: Whether rows match

/// The nodes of each cell that is called, as it is drawn for the row that is compared.
let called = {};

/// Whatever the indentation.
const markup = (nodes) => nodes.map((node) => collapse(node.outerHTML ?? node.data).replaceAll("> <", "><")).join("");

/// The places in `nodes` at which a match of the items may end that begins at one of `starts`.
function ends(items, nodes, starts) {
  for (const item of items) {
    const next = new Set();
    for (const start of starts) for (const end of endsOf(item, nodes, start)) next.add(end);
    starts = next;
  }
  return starts;
}

function endsOf(item, nodes, start) {
  const node = nodes[start];
  const isText = node?.nodeType === Node.TEXT_NODE;
  switch (item.kind) {
    case "call": {
      const end = start + called[item.called].length;
      return markup(nodes.slice(start, end)) === markup(called[item.called]) ? [end] : [];
    }
    case "text": return isText && collapse(node.data) === item.text ? [start + 1] : [];
    case "hole": {
      const isFilled = isText && item.pattern.test(collapse(node.data));
      return [...(item.pattern.test("") ? [start] : []), ...(isFilled ? [start + 1] : [])];
    }
    case "element": return node && isLike(node, item.element, false) ? [start + 1] : [];
    case "choice": return [start, ...(node && isLike(node, item.element, false) ? [start + 1] : [])];
    case "outlet": {
      const found = [start];
      while (nodes[found.at(-1)] && isLike(nodes[found.at(-1)], item.element, true)) found.push(found.at(-1) + 1);
      return found;
    }
    case "section": {
      const found = new Set([start]);
      for (const place of found) for (const end of ends(item.items, nodes, new Set([place]))) found.add(end);
      return found;
    }
  }
}

const meaningful = (nodes) => [...nodes].filter((node) =>
  node.nodeType === Node.TEXT_NODE ? collapse(node.data) : node.nodeType !== Node.COMMENT_NODE);

function isLike(node, designed, isOutlet) {
  if (node.nodeName !== designed.nodeName || !haveLikeAttributes(node, designed, isOutlet)) return false;
  const nodes = meaningful(node.childNodes);
  // A string or number is the content.
  if (isOutlet && nodes.every((each) => each.nodeType === Node.TEXT_NODE)) return true;
  return ends(read(designed.childNodes), nodes, new Set([0])).has(nodes.length);
}

function haveLikeAttributes(node, designed, isOutlet) {
  const bound = new Set(boundBy(designed.getAttribute("data-bind") ?? ""));
  if (isOutlet) for (const name of ["src", "value", "checked", "selected", "datetime"]) bound.add(name);
  if (designed.hasAttribute("data-embed")) bound.add("src");
  const fixed = new Map();
  for (const { name, value } of designed.attributes) {
    if (OWN.has(name)) continue;
    // What a browser makes of a section around an attribute holds the attribute's name.
    if (/[{}]/.test(name)) {
      for (const word of name.replace(/\{\{[^}]*\}\}/g, " ").match(/[\w-]+/g) ?? []) bound.add(word);
    } else {
      fixed.set(name, value);
    }
  }
  for (const [name, value] of fixed) {
    const isOptional = bound.has(name) || value.includes("{{");
    if (!node.hasAttribute(name)) {
      if (!isOptional) return false;
    } else if (!bound.has(name) && !pattern(value).test(node.getAttribute(name))) {
      return false;
    }
  }
  return [...node.attributes].every(({ name }) => fixed.has(name) || bound.has(name));
}

// MARK: The page

/// Rows that no cell draws: with an attribute, an element or a text more, or an element of another name.
const SPOILS = [
  (root) => root.setAttribute("data-spoilt", ""),
  (root) => root.append(document.createElement("hr")),
  (root) => root.prepend("spoilt"),
  (root) => root.lastElementChild.replaceWith(document.createElement("output")),
];

(() => {
  const report = { kinds: [], rows: 0, spoilt: 0, failures: [] };
  for (const cell of document.querySelectorAll("[data-cell]")) {
    const kind = cell.getAttribute("data-cell");
    report.kinds.push(kind);
    const items = cell.localName === "template" ? read(cell.content.childNodes) : [{ kind: "element", element: cell }];
    const range = document.createRange();
    range.selectNode(cell);
    const matches = (fragment) => {
      const nodes = meaningful(fragment.childNodes);
      return ends(items, nodes, new Set([0])).has(nodes.length);
    };
    const filled = [];
    for (const { html, calls } of ROWS[kind] ?? []) {
      const fragment = range.createContextualFragment(html);
      const parse = (each) => meaningful(range.createContextualFragment(each).childNodes);
      called = Object.fromEntries(Object.entries(calls).map(([name, each]) => [name, parse(each)]));
      report.rows += 1;
      if (!matches(fragment)) report.failures.push(`${kind} is not as designed: ${html}`);
      for (const spoil of SPOILS) {
        const copy = fragment.cloneNode(true);
        spoil(copy.firstElementChild);
        report.spoilt += 1;
        if (matches(copy)) report.failures.push(`${kind}: it is not seen that this was spoilt: ${spoil}`);
      }
      filled.push(fragment, "\n");
    }
    if (!filled.length) report.failures.push(`${kind} has no sample rows`);
    cell.replaceWith(...filled);
  }
  // The scenery's styles stay.
  for (const element of document.querySelectorAll("[data-design]:not(style)")) element.remove();
  // Done before the picture is taken.
  const request = new XMLHttpRequest();
  request.open("POST", "/seen", false);
  request.send(JSON.stringify(report));
})();
