// The first script of a page of cells: reports everything that runs, or would run, to the surrounding page.
"use strict";
(() => {
  const fire = (what) => top.fired(window, String(what).slice(0, 200));
  for (const name of ["alert", "prompt", "confirm", "print", "open", "eval"]) {
    window[name] = (...given) => fire(`${name}(${given})`);
  }
  for (const name of ["log", "info", "warn", "error", "debug", "dir", "table"]) {
    console[name] = (...given) => fire(`console.${name}(${given})`);
  }
  for (const name of ["setTimeout", "setInterval"]) {
    const real = window[name].bind(window);
    window[name] = (work, ...rest) => (typeof work === "function" ? real(work, ...rest) : fire(`${name}(${work})`));
  }
  // A script with a syntax error also counts.
  addEventListener("error", (event) => event instanceof ErrorEvent && fire(`error ${event.message}`));
  // The page's policy only reports, so every script that runs is detected.
  addEventListener("securitypolicyviolation", (event) => {
    if (event.effectiveDirective.startsWith("script-src")) fire(`${event.effectiveDirective} ${event.sample}`);
  });

  // Links and forms are followed only if they run script.
  const runsScript = (address) => {
    try {
      return new URL(address, document.baseURI).protocol === "javascript:";
    } catch {
      return false;
    }
  };
  addEventListener("click", (event) => {
    const link = event.composedPath().find((each) => each.href !== undefined && each.matches?.("a, area"));
    const address = typeof link?.href === "object" ? link.href.baseVal : link?.href;
    if (link && !runsScript(address)) event.preventDefault();
  });
  addEventListener("submit", (event) => {
    const address = event.submitter?.hasAttribute("formaction") ? event.submitter.formAction : event.target.action;
    if (!runsScript(address)) event.preventDefault();
  });
})();
