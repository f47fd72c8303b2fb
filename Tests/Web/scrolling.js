// Scrolls a table by steps, one a frame, and measures what a person would see. Injected by the tests; returns one object.
//
// A jump is a row in view that is not where the scrolling has put it. Frames are counted between two callbacks of the browser.
async function scrollBySteps({ steps, step, selector, scroller, wait }) {
  const target = scroller ? document.querySelector(scroller) : document.scrollingElement;
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const rows = () => [...document.querySelectorAll(selector)];
  const bounds = () => scroller ? target.getBoundingClientRect() : { top: 0, bottom: innerHeight };
  const visible = () => {
    const { top, bottom } = bounds();
    return rows().filter((row) => row.dataset.seen !== undefined || row.textContent.trim()).map((row) => [row, row.getBoundingClientRect(), row.textContent])
      .filter(([, box]) => box.bottom > top && box.top < bottom);
  };
  const result = { frames: 0, slow: 0, longest: 0, jumps: [], mostElements: 0, mostScreens: 0, blank: 0 };
  let last = await frame();
  for (let number = 0; number < steps; number += 1) {
    const before = visible();
    const wanted = typeof step === "function" ? step(number) : step;
    const limit = target.scrollHeight - target.clientHeight;
    const room = wanted > 0 ? limit - target.scrollTop : target.scrollTop;
    if (room < Math.abs(wanted)) break;
    target.scrollBy({ top: wanted, behavior: "instant" });
    const now = await frame();
    await frame();
    const time = performance.now();
    for (const [row, box, text] of before) {
      // Elements are used again: only one that shows the same row is where it was.
      if (!row.isConnected || row.textContent !== text) continue;
      const moved = row.getBoundingClientRect().top - (box.top - wanted);
      if (Math.abs(moved) > 1) {
        result.jumps.push([number, text.slice(0, 20), Math.round(moved * 100) / 100]);
        break;
      }
    }
    if (!visible().length) result.blank += 1;
    const all = rows();
    result.mostElements = Math.max(result.mostElements, document.querySelectorAll("body *").length);
    if (all.length) {
      const height = all.at(-1).getBoundingClientRect().bottom - all[0].getBoundingClientRect().top;
      const { top, bottom } = bounds();
      result.mostScreens = Math.max(result.mostScreens, height / (bottom - top));
    }
    result.frames += 1;
    if (wait) await new Promise((resolve) => setTimeout(resolve, wait));
  }
  return result;
}
