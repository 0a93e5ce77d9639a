// A window whose page clock stands still between actions, with a real browser.

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Action } from '../../../runtime/core/action.ts';
import { key } from '../../../runtime/core/key.ts';
import { centre, type Screen } from '../../../runtime/core/screen.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import type { Browsers } from '../../../runtime/environments/web/browsers.ts';
import { WebWindow } from '../../../runtime/environments/web/window.ts';
import { INSTALLED_BROWSERS, NO_BROWSER, openBrowsers } from './browsers.ts';

if (INSTALLED_BROWSERS.length === 0) process.stderr.write(`${NO_BROWSER}\n`);

const STEP_MS = 100;
const START_MS = 1_700_000_000_000;

describe.skipIf(INSTALLED_BROWSERS.length === 0).each(INSTALLED_BROWSERS)(
  'a stopped clock, $kind browser',
  browser => {
    let browsers: Browsers;
    let window: WebWindow;
    let screen: Screen;

    beforeAll(() => {
      browsers = openBrowsers(browser);
    });
    afterEach(() => window.close());
    afterAll(() => browsers.close());

    async function open(page: string, stepMs = STEP_MS): Promise<void> {
      window = await WebWindow.open({
        ...{ browsers, size: { width: 480, height: 360 }, clock: systemClock, uploads: new Map() },
      });
      window.stopClock({ stepMs, startMs: START_MS });
      await window.context.open(`http://pages.test/${page}`);
      screen = await window.look();
    }

    const valueIn = (expression: string) => window.page.evaluate(expression);
    const texts = () => (screen.elements ?? []).map(({ name }) => name);

    async function act(action: Action): Promise<void> {
      screen = await window.act(action);
    }

    function click(name: string): Promise<void> {
      const found = (screen.elements ?? []).findLast(each => each.name === name);
      if (found === undefined) throw new Error(`No '${name}' among ${JSON.stringify(texts())}`);
      return act({ kind: 'click', at: centre(found.box) });
    }

    const wait = () => act({ kind: 'wait' });
    const times = () =>
      valueIn('[Date.now(), performance.now(), ticks, document.getAnimations()[0].currentTime]');

    test('the time of a page stands still while an agent thinks', async () => {
      await open('reactions.html');
      await systemClock.sleep(50);
      screen = await window.look();
      expect(await times()).toEqual([START_MS, 0, 0, 0]);
    });

    test('dates, timers and animations go on by the time of an action', async () => {
      await open('reactions.html');
      await wait();
      expect(await times()).toEqual([START_MS + STEP_MS, STEP_MS, Math.floor(STEP_MS / 7), STEP_MS]);
      await click('timeout');
      await wait();
      expect(texts()).toContain('start');
      await wait();
      expect(texts()).toContain('timeout done');
    });

    test.each(['chain', 'frames', 'idle', 'interval', 'await', 'transition', 'message', 'fetch', 'picture'])(
      'an effect that takes time is shown after it: %s',
      async name => {
        await open('reactions.html');
        await click(name);
        for (let actions = 0; actions < 7; actions++) await wait();
        expect(texts()).toContain(`${name} done`);
      },
    );

    test('equal actions show equal screens, whatever the real time between them', async () => {
      const play = async (delayMs: number) => {
        await open('reactions.html');
        await click('transition');
        await systemClock.sleep(delayMs);
        await wait();
        await systemClock.sleep(delayMs);
        await wait();
        const { pixels, elements } = screen;
        return { pixels: Buffer.from(pixels.data), elements };
      };
      const quick = await play(0);
      await window.close();
      const slow = await play(40);
      expect(slow.elements).toEqual(quick.elements);
      expect(slow.pixels.equals(quick.pixels)).toBe(true);
    });

    test('the next document goes on with the date of the last one', async () => {
      await open('reactions.html');
      await wait();
      await click('navigate');
      expect(texts()).toContain('Inside');
      expect(await valueIn('Date.now()')).toBe(START_MS + 2 * STEP_MS);
      await act({ kind: 'hotkey', keys: [key('alt'), key('left')] });
      await click('later page');
      await wait();
      expect(texts()).toContain('Inside');
      expect(await valueIn('performance.now()')).toBe(0);
    });

    test('time passes for a promise that waits for it', async () => {
      await open('reactions.html');
      const promise = 'new Promise(resolve => setTimeout(() => resolve(7), 3000))';
      expect(await window.page.evaluateInTime(promise)).toBe(7);
      expect(Number(await valueIn('Date.now()')) - START_MS).toBeLessThan(3020);
      await expect(window.page.evaluateInTime('Promise.reject(new Error("no"))')).rejects.toThrow('no');
    });

    test('a document that began before keeps its own clock', async () => {
      window = await WebWindow.open({
        ...{ browsers, size: { width: 480, height: 360 }, clock: systemClock, uploads: new Map() },
      });
      await window.context.open('http://pages.test/reactions.html');
      window.stopClock({ stepMs: STEP_MS, startMs: START_MS });
      screen = await window.look();
      await click('chain');
      expect(texts()).toContain('chain done');
      expect(await window.page.evaluateInTime('Promise.resolve(3)')).toBe(3);
    });

    test('a page that starts timers without end and without a delay is shown as it is', async () => {
      await open('reactions.html');
      await valueIn('void setInterval(() => { endlessly = (window.endlessly ?? 0) + 1 }, 0)');
      await click('timeout');
      for (let actions = 0; actions < 2; actions++) await wait();
      expect(texts()).toContain('timeout done');
      expect(await valueIn('endlessly')).toBe(3 * STEP_MS);
    });

    test('the clocks of frames of every origin go on together', async () => {
      await open('frames.html');
      await wait();
      expect(await valueIn('frames[0].Date.now()')).toBe(START_MS + STEP_MS);
      // The other one has another origin.
      await valueIn('void (onmessage = ({ data }) => { document.title = data; })');
      await act({ kind: 'click', at: { x: 40, y: 117 } });
      expect(await valueIn('document.title')).toBe(String(START_MS + STEP_MS));
    });

    test('dialogs and new tabs are shown, and the clock of a new tab stands still too', async () => {
      await open('widgets.html');
      await click('Alert');
      expect(texts()).toContain('Saved <b>');
      await click('OK');
      await click('New tab');
      expect(await valueIn('document.title')).toBe('closed');
      const before = await valueIn('Date.now()');
      await wait();
      expect(Number(await valueIn('Date.now()')) - Number(before)).toBe(STEP_MS);
    });

    const date = async () => (Number(await valueIn('Date.now()')) - START_MS) / STEP_MS;
    const press = (first: string, ...others: readonly string[]) =>
      act({ kind: 'hotkey', keys: [key(first), ...others.map(each => key(each))] });

    test('a new tab goes on with the date of its opener, which catches up when it is shown again', async () => {
      await open('widgets.html');
      for (let actions = 0; actions < 3; actions++) await wait();
      await click('New tab');
      expect(await valueIn('document.title')).toBe('closed');
      expect(await date()).toBe(4);
      await wait();
      await press('ctrl', 'w');
      expect(await valueIn('document.title')).toBe('Widgets');
      expect(await date()).toBe(6);
    });

    test('time passes with the shortcuts of the browser', async () => {
      await open('widgets.html');
      await press('f5');
      expect(await date()).toBe(1);
      await click('Frames');
      await press('alt', 'left');
      expect(await date()).toBe(3);
      await press('alt', 'right');
      expect(await valueIn('document.title')).toBe('closed');
      expect(await date()).toBe(4);
      await press('alt', 'left');
      await click('New tab');
      await press('ctrl', 'tab');
      expect(await valueIn('document.title')).toBe('Widgets');
      expect(await date()).toBe(7);
    });

    // The action that opened the dialog goes on beside the answer.
    test('time passes with the answer to a dialog', async () => {
      await open('widgets.html');
      await click('Alert');
      await click('OK');
      expect(await date()).toBe(2);
    });

    test('a tab that is minutes behind catches up', async () => {
      await open('widgets.html', 2 * 60_000);
      await click('New tab');
      for (let actions = 0; actions < 3; actions++) await wait();
      await press('ctrl', 'tab');
      expect(await valueIn('document.title')).toBe('Widgets');
      expect(await valueIn('Date.now()')).toBe(START_MS + 5 * 2 * 60_000);
    });
  },
);
