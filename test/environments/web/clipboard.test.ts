// The clipboard of a window, with a real browser: it is shared with no other window, although a browser has one for all.

import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { key } from '../../../runtime/core/key.ts';
import { centre } from '../../../runtime/core/screen.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import type { Browsers } from '../../../runtime/environments/web/browsers.ts';
import { WebWindow } from '../../../runtime/environments/web/window.ts';
import { INSTALLED_BROWSERS, NO_BROWSER, openBrowsers } from './browsers.ts';

if (INSTALLED_BROWSERS.length === 0) process.stderr.write(`${NO_BROWSER}\n`);

type Shortcut = readonly [string, ...string[]];

const PAGES = fileURLToPath(new URL('pages', import.meta.url));
/** Only pages of this host may write to the clipboard with `navigator.clipboard`. */
const SECURE_HOST = 'localhost';

describe.skipIf(INSTALLED_BROWSERS.length === 0).each(INSTALLED_BROWSERS)(
  'the clipboard of a window, $kind browser',
  browser => {
    let browsers: Browsers;
    const windows: WebWindow[] = [];

    beforeAll(() => {
      browsers = openBrowsers(browser, [[SECURE_HOST, PAGES]]);
    });
    afterEach(() => Promise.all(windows.splice(0).map(window => window.close())));
    afterAll(() => browsers.close());

    async function open(host = SECURE_HOST) {
      const window = await WebWindow.open({
        ...{ browsers, size: { width: 480, height: 360 }, clock: systemClock, uploads: new Map() },
      });
      windows.push(window);
      await window.context.open(`http://${host}/clipboard.html`);
      const textOf = (id: string) => window.page.evaluate(`${id}.value ?? ${id}.textContent`);
      const keys = (first: string, ...others: readonly string[]) =>
        window.act({ kind: 'hotkey', keys: [key(first), ...others.map(each => key(each))] });
      return {
        ...{ window, textOf, keys },
        focus: (id: string) => window.page.evaluate(`${id}.focus()`),
        async click(name: string) {
          const { elements = [] } = await window.look();
          const found = elements.find(each => each.name === name);
          if (found === undefined) throw new Error(`No '${name}' among ${JSON.stringify(elements)}`);
          await window.act({ kind: 'click', at: centre(found.box) });
        },
        async copy(id: string, shortcut: Shortcut = ['ctrl', 'c']) {
          await window.page.evaluate(`${id}.focus()`);
          await keys('ctrl', 'a');
          await keys(...shortcut);
        },
        async paste(id: string, shortcut: Shortcut = ['ctrl', 'v']) {
          await window.page.evaluate(`${id}.focus()`);
          await keys(...shortcut);
          return textOf(id);
        },
      };
    }

    test('a copy of one window is not pasted in another', async () => {
      const [one, other] = [await open(), await open()];
      await one.copy('from');
      expect(await other.paste('to')).toBe('');
      expect(await other.paste('lines', ['shift', 'insert'])).toBe('');
      expect(await one.paste('lines')).toBe('one\ntwo');
      expect(await one.paste('to')).toBe('one two');
    });

    test('middle clicks paste nothing', async () => {
      const [one, other] = [await open(), await open()];
      await one.copy('from');
      for (const { window, textOf } of [one, other]) {
        const { elements = [] } = await window.look();
        const to = elements.find(({ name }) => name === 'To');
        if (to === undefined) throw new Error('The page has no field To.');
        await window.act({ kind: 'middle_click', at: centre(to.box) });
        expect(await textOf('to')).toBe('');
      }
    });

    test.each<[Shortcut, Shortcut]>([
      [
        ['ctrl', 'insert'],
        ['shift', 'insert'],
      ],
      [
        ['ctrl', 'x'],
        ['ctrl', 'shift', 'v'],
      ],
      [
        ['shift', 'delete'],
        ['ctrl', 'v'],
      ],
    ])('%j and %j copy and paste', async (copy, paste) => {
      const { copy: copied, paste: pasted, textOf } = await open('pages.test');
      await copied('from', copy);
      expect(await textOf('from')).toBe(copy[1] === 'insert' ? 'one\ntwo' : '');
      expect(await pasted('lines', paste)).toBe('one\ntwo');
    });

    test('a paste replaces the selection, and can be undone', async () => {
      const { copy, paste, keys, textOf } = await open();
      await copy('from');
      await keys('ctrl', 'a');
      expect(await paste('from')).toBe('one\ntwo');
      await copy('own');
      await keys('ctrl', 'a');
      expect(await paste('own')).toBe('replaced');
      await keys('ctrl', 'z');
      expect(await textOf('own')).toBe('shown');
    });

    test('a page replaces what is copied, and reads what is pasted', async () => {
      const { copy, paste } = await open();
      await copy('own');
      expect(await paste('to')).toBe('replaced');
      expect(await paste('reader')).toBe('text/plain=replaced,text/html=<b>replaced</b>');
    });

    test.each([
      ['Write', 'written'],
      ['Write item', 'item'],
      ['Copy', 'one two'],
    ])('a page copies with its button %s', async (name, text) => {
      const [one, other] = [await open(), await open()];
      await one.click(name);
      expect(await other.paste('to')).toBe('');
      expect(await one.paste('to')).toBe(text);
    });

    test('passwords and empty selections are not copied', async () => {
      const { copy, paste, focus, keys } = await open();
      await copy('from');
      await copy('secret');
      await focus('to');
      await keys('ctrl', 'c');
      expect(await paste('to')).toBe('one two');
    });

    test('frames and the next document have the same clipboard', async () => {
      const { window, copy, paste } = await open();
      await copy('from');
      const inner = '(frame.contentDocument.getElementById("inner"))';
      await window.page.evaluate(`${inner}.value = ''`);
      expect(await paste(inner)).toBe('one two');
      await window.page.evaluate(`${inner}.value = 'inside'`);
      await copy(inner);
      await window.act({ kind: 'hotkey', keys: [key('f5')] });
      expect(await paste('to')).toBe('inside');
    });

    test('a page that replaced its document has the same clipboard', async () => {
      const [one, other] = [await open(), await open()];
      const rewrite = `document.open(); document.write('<input id=to><input id=from value=new>'); document.close()`;
      for (const { window } of [one, other]) await window.page.evaluate(rewrite);
      await one.copy('from');
      expect(await other.paste('to')).toBe('');
      expect(await one.paste('to')).toBe('new');
    });

    test('a prompt has the clipboard of its page', async () => {
      const { window, copy, keys, click } = await open();
      await copy('own');
      await window.page.evaluate(`setTimeout(() => { document.title = prompt('Name?') })`);
      await window.act({ kind: 'wait' });
      await keys('ctrl', 'v');
      await click('OK');
      expect(await window.page.evaluate('document.title')).toBe('replaced');
    });

    test('an emptied clipboard pastes nothing', async () => {
      const { window, copy, paste } = await open();
      await copy('from');
      window.emptyClipboard();
      expect(await paste('to')).toBe('');
    });
  },
);
