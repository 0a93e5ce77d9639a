// What runs within the page to measure it: when something was painted, and how long frames took. Nothing of the page knows of it.

declare global {
  interface Window {
    watched: Watched;
  }
}

interface Watched {
  /** When the first rows of a list were on the display, since the page began; 0 before that. */
  rows: number;
  /** From a key to the screenshot that it led to being on the display, for each key that led to one. */
  readonly pictures: number[];
}

/**
 * Runs before anything of the page does. Something counts as painted at the beginning of the frame after the one that had it: the
 * display has it then at the latest.
 */
export function watch(): void {
  const watched: Watched = { rows: 0, pictures: [] };
  window.watched = watched;
  let pressed: number | undefined;
  const painted = (note: (at: number) => void) => requestAnimationFrame(() => note(performance.now()));

  const rows = new MutationObserver(() => {
    if (document.querySelector('.row[data-empty="false"]') === null) return;
    rows.disconnect();
    painted(at => {
      watched.rows = at;
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
    if (from === undefined || !this.canvas.classList.contains('picture')) return;
    pressed = undefined;
    painted(at => watched.pictures.push(at - from));
  };
}

/** Through a whole list, so many pixels a frame: how long each frame took. */
export async function scrollThrough(list: Element, by: number): Promise<number[]> {
  const times: number[] = [];
  const frame = () => new Promise<number>(resolve => requestAnimationFrame(resolve));
  let before = await frame();
  while (list.scrollTop + list.clientHeight < list.scrollHeight - 1) {
    list.scrollTop += by;
    const now = await frame();
    times.push(now - before);
    before = now;
  }
  return times;
}
