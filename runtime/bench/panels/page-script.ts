// Scripts that run inside the page and measure when things are painted. The page does not know them.

declare global {
  interface Window {
    observed: PageObservations;
  }
}

interface PageObservations {
  /** Milliseconds from the load of the page to the first rows of a list; 0 before. */
  rows: number;
  /** Milliseconds from a key to the screenshot that it led to. */
  readonly pictures: number[];
  /** When a screenshot was last drawn. */
  drawnAt: number;
}

/** Runs before the page. A change counts as painted at the start of the next frame. */
export function observePage(): void {
  const observed: PageObservations = { rows: 0, pictures: [], drawnAt: 0 };
  window.observed = observed;
  let pressed: number | undefined;
  const painted = (note: (at: number) => void) => requestAnimationFrame(() => note(performance.now()));

  const rows = new MutationObserver(() => {
    if (document.querySelector('.row[data-empty="false"]') === null) return;
    rows.disconnect();
    painted(at => {
      observed.rows = at;
    });
  });
  rows.observe(document, { subtree: true, childList: true, attributeFilter: ['data-empty'] });

  addEventListener('keydown', ({ timeStamp }) => (pressed = timeStamp), { capture: true });
  const { drawImage } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.drawImage = function (
    this: CanvasRenderingContext2D,
    ...args: readonly unknown[]
  ) {
    Reflect.apply(drawImage, this, args);
    const from = pressed;
    if (!this.canvas.classList.contains('picture')) return;
    observed.drawnAt = performance.now();
    if (from === undefined) return;
    pressed = undefined;
    painted(at => observed.pictures.push(at - from));
  };
}

/** Scrolls a whole list and returns the milliseconds of each frame. */
export async function scrollThrough(list: Element, pixelsPerFrame: number): Promise<number[]> {
  const times: number[] = [];
  const frame = () => new Promise<number>(resolve => requestAnimationFrame(resolve));
  let before = await frame();
  while (list.scrollTop + list.clientHeight < list.scrollHeight - 1) {
    list.scrollTop += pixelsPerFrame;
    const now = await frame();
    times.push(now - before);
    before = now;
  }
  return times;
}
