// A hand on the panel Record: does events with the browser's own mouse and keyboard.

import type { Frame } from 'playwright-core';
import { type Point, samePoint } from '../../core/screen.ts';
import type { SentInput } from '../../protocol/daemon/record.ts';

type SentEvent = SentInput['event'];

/** The pointer rests after 400 ms. */
const REST_MS = 500;

/** Keys whose names in a browser differ; other names begin with a capital letter there. */
const KEY_NAMES: Readonly<Record<string, string>> = {
  ...{ ctrl: 'Control', win: 'Meta', esc: 'Escape', space: ' ', apps: 'ContextMenu' },
  ...{ up: 'ArrowUp', down: 'ArrowDown', left: 'ArrowLeft', right: 'ArrowRight' },
  ...{ pageup: 'PageUp', pagedown: 'PageDown', printscreen: 'PrintScreen' },
};

export class PageHand {
  readonly #frame: Frame;
  #at: Point | undefined;

  constructor(frame: Frame) {
    this.#frame = frame;
  }

  async do(event: SentEvent): Promise<void> {
    const page = this.#frame.page();
    switch (event.kind) {
      case 'press':
        await this.#moveTo(event.at);
        return page.mouse.down({ button: event.button });
      case 'release':
        await this.#moveTo(event.at);
        return page.mouse.up({ button: event.button });
      case 'rest':
        await this.#moveTo(event.at);
        return page.waitForTimeout(REST_MS);
      case 'wheel':
        await this.#moveTo(event.at);
        return page.mouse.wheel(event.x, event.y);
      case 'text':
        return page.keyboard.type(event.text);
      case 'keys':
        return page.keyboard.press(event.keys.map(nameOfKey).join('+'));
      // The screen decides how long.
      case 'wait':
      case 'cancel':
        return;
    }
  }

  /** To the middle of this pixel of the desktop. Presses at one place follow each other at once. */
  async #moveTo(at: Point): Promise<void> {
    if (this.#at !== undefined && samePoint(at, this.#at)) return;
    const screen = this.#frame.locator('.stage-frame canvas.picture');
    const [box, size] = await Promise.all([
      screen.boundingBox(),
      screen.evaluate(({ width, height }: HTMLCanvasElement) => ({ width, height })),
    ]);
    if (box === null) throw new Error('The desktop is not on the page. Open the panel Record.');
    await this.#frame
      .page()
      .mouse.move(
        box.x + ((at.x + 0.5) / size.width) * box.width,
        box.y + ((at.y + 0.5) / size.height) * box.height,
      );
    this.#at = at;
  }
}

const nameOfKey = (key: string): string =>
  KEY_NAMES[key] ?? (key.length === 1 ? key : `${key.slice(0, 1).toUpperCase()}${key.slice(1)}`);
