// What the pages of the tests share: the module of cells, and a custom element that has a state.
import * as cells from "/factory/cells.js";

customElements.define("x-counter", class extends HTMLElement {
  connectedCallback() {
    if (this.firstChild) return;
    const button = document.createElement("button");
    button.textContent = "0";
    button.addEventListener("click", () => {
      button.textContent = String(Number(button.textContent) + 1);
      this.setAttribute("count", button.textContent);
    });
    this.append(button);
  }
});

window.cells = cells;
// What a server would have rendered.
window.trusted = trustedTypes.createPolicy("tests", { createHTML: (html) => html });
window.events = [];
for (const type of ["cell-action", "cell-error"]) {
  document.addEventListener(type, (event) => {
    const { sender, error, ...detail } = event.detail;
    window.events.push({ type, ...detail, sender: sender?.localName, error: error && { message: error.message, detail: error.detail } });
    if (type === "cell-action") event.preventDefault();
  });
}
window.addEventListener("error", (event) => window.events.push({ type: "error", message: event.message }));
window.addEventListener("unhandledrejection", (event) => window.events.push({ type: "rejection", message: String(event.reason) }));
document.addEventListener("securitypolicyviolation", (event) => window.events.push({ type: "violation", message: `${event.effectiveDirective} ${event.sample}` }));
window.isReady = true;
