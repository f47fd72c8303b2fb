// Opens the pages of cells one after another, touches every element, and reports the results.
"use strict";
const EVENTS = ["click", "error", "load", "mouseover", "focus", "blur", "submit", "toggle", "input", "keydown", "animationend"];
const HARMLESS = new Set(["http:", "https:", "mailto:", "tel:"]);
const REFUSED = "about:invalid#cell";

let seen;
window.fired = (from, what) => seen.fired.push(what);

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/// The URLs of an element, as parsed by the browser.
function* addresses(element) {
  for (const name of ["href", "src", "action", "formAction", "poster", "cite", "currentSrc", "data-src"]) {
    const value = element[name] ?? element.getAttribute(name);
    if (value === null || value === "") continue;
    yield typeof value === "object" ? value.baseVal : value;
  }
}

function inspect(page) {
  const all = [...page.querySelectorAll("#cells *")];
  seen.elements = all.length;
  for (const element of all) {
    for (const attribute of element.attributes) {
      if (attribute.name.startsWith("on")) seen.fired.push(`attribute ${attribute.name}`);
    }
    for (const address of addresses(element)) {
      let protocol;
      try {
        protocol = new URL(address, page.baseURI).protocol;
      } catch {
        continue;
      }
      if (!HARMLESS.has(protocol) && !address.startsWith(REFUSED)) seen.fired.push(`address ${address.slice(0, 200)}`);
    }
  }
  return all;
}

async function touch(all) {
  for (const element of all) {
    for (const type of EVENTS) {
      if (type === "click" && element.click) element.click();
      else element.dispatchEvent(new Event(type, { bubbles: true, cancelable: true }));
    }
    if (element.requestSubmit) element.requestSubmit();
  }
  // The script of a clicked javascript: link runs later.
  await pause(20);
}

async function open(name) {
  seen = { page: name, elements: 0, fired: [] };
  const frame = document.createElement("iframe");
  const loaded = new Promise((done) => frame.addEventListener("load", done));
  // No dialogs, which would wait for a user, and no navigation out of the frame.
  frame.sandbox = "allow-scripts allow-same-origin allow-forms";
  frame.src = `/page/${name}`;
  document.body.append(frame);
  // A control page may prevent itself from loading.
  await Promise.race([loaded, pause(5000)]);
  try {
    await touch(inspect(frame.contentDocument));
  } catch (error) {
    seen.fired.push(`the page is gone: ${error}`);
  }
  frame.remove();
  seen.count = seen.fired.length;
  seen.fired = seen.fired.slice(0, 20);
  return seen;
}

(async () => {
  const pages = await (await fetch("/pages")).json();
  for (const page of pages) {
    await fetch("/seen", { method: "POST", body: JSON.stringify(await open(page)) });
  }
  await fetch("/done", { method: "POST" });
})();
