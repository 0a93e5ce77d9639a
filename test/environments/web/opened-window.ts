// A window with a real browser for the tests of one file, and short ways to use it.

import { afterAll, afterEach, beforeAll } from 'vitest';
import type { Action } from '../../../runtime/core/action.ts';
import { key } from '../../../runtime/core/key.ts';
import { centre, type Element, type Point, type Screen } from '../../../runtime/core/screen.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import type { FoundBrowser } from '../../../runtime/environments/web/browser/find-browser.ts';
import type { Browsers } from '../../../runtime/environments/web/browsers.ts';
import { WebWindow } from '../../../runtime/environments/web/window.ts';
import { openBrowsers } from './browsers.ts';

const SIZE = { width: 480, height: 360 };

/** Opens a browser before the tests. Each test opens its window; it is closed after it. */
export function openedWindow(browser: FoundBrowser) {
  let browsers: Browsers;
  let window: WebWindow;
  let screen: Screen;

  beforeAll(() => {
    browsers = openBrowsers(browser);
  });
  afterEach(() => window.close());
  afterAll(() => browsers.close());

  /** Opens one of the pages in `pages`. */
  async function open(
    page: string,
    uploads: ReadonlyMap<string, string> = new Map(),
    size = SIZE,
  ): Promise<void> {
    window = await WebWindow.open({ browsers, size, clock: systemClock, uploads });
    await window.context.open(`http://pages.test/${page}`);
    screen = await window.look();
  }

  async function look(): Promise<void> {
    screen = await window.look();
  }

  async function act(action: Action): Promise<void> {
    screen = await window.act(action);
  }

  const elements = (): readonly Element[] => screen.elements ?? [];

  const named = (role: string): readonly string[] =>
    elements()
      .filter(each => each.role === role)
      .map(({ name }) => name);

  function at(role: string, name: string): Point {
    const found = elements().findLast(each => each.role === role && each.name === name);
    if (found !== undefined) return centre(found.box);
    throw new Error(`No ${role} '${name}' among ${JSON.stringify(elements())}`);
  }

  return {
    ...{ open, look, act, elements, named, at },
    window: () => window,
    screen: () => screen,
    click: (role: string, name: string) => act({ kind: 'click', at: at(role, name) }),
    press: (...[first, ...others]: [string, ...string[]]) =>
      act({ kind: 'hotkey', keys: [key(first), ...others.map(key)] }),
    valueIn: (expression: string) => window.page.evaluate(expression),
  };
}
