// The widgets, dialogs and tabs of a real browser in a window.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { centre } from '../../../runtime/core/screen.ts';
import { INSTALLED_BROWSERS, NO_BROWSER } from './browsers.ts';
import { openedWindow } from './opened-window.ts';

if (INSTALLED_BROWSERS.length === 0) process.stderr.write(`${NO_BROWSER}\n`);

describe.skipIf(INSTALLED_BROWSERS.length === 0).each(INSTALLED_BROWSERS)('$kind browser', browser => {
  const { act, at, click, elements, look, named, open, press, screen, valueIn, window } =
    openedWindow(browser);

  describe('widgets of the browser', () => {
    test('the options of a select box are on the screen', async () => {
      await open('widgets.html');
      const dropdown = elements().find(({ role }) => role === 'dropdown');
      if (dropdown === undefined) throw new Error('no dropdown');
      await act({ kind: 'click', at: centre(dropdown.box) });
      expect(named('option')).toEqual(['Apple', 'Pear', 'Cherry']);
      await click('option', 'Pear');
      expect(await valueIn('fruit.value')).toBe('Pear');
      expect(named('option')).toEqual([]);
    });

    test('the options of a select box in a shadow root are on the screen', async () => {
      await open('widgets.html');
      await click('dropdown', 'Size');
      expect(named('option')).toEqual(['Small', 'Large']);
    });

    test('options are on the screen of a page that replaces its style sheets', async () => {
      await open('widgets.html');
      await valueIn('void (document.adoptedStyleSheets = [new CSSStyleSheet()])');
      await act({ kind: 'wait' });
      await click('dropdown', '');
      expect(named('option')).toEqual(['Apple', 'Pear', 'Cherry']);
    });

    test('the caret of a field does not blink, also after the page replaces its style sheets', async () => {
      await open('widgets.html');
      const caret = "getComputedStyle(document.querySelector('input')).caretAnimation";
      expect(await valueIn(caret)).toBe('manual');
      await valueIn('void (document.adoptedStyleSheets = [new CSSStyleSheet()])');
      await act({ kind: 'wait' });
      expect(await valueIn(caret)).toBe('manual');
    });

    test('a date is typed', async () => {
      await open('widgets.html');
      await act({ kind: 'click', at: { x: Number(await valueIn('day.offsetLeft')) + 8, y: 18 } });
      await act({ kind: 'type', text: '12312024' });
      expect(await valueIn('day.value')).toBe('2024-12-31');
    });

    test('an element is dragged to another, and a slider to a value', async () => {
      await open('widgets.html');
      await act({ kind: 'drag', from: at('label', 'piece'), to: at('label', 'zone') });
      expect(named('label')).toContain('got hey');
      const from = at('slider', 'Volume');
      await act({ kind: 'drag', from, to: { x: from.x + 30, y: from.y } });
      expect(Number(await valueIn('range.value'))).toBeGreaterThan(60);
    });
  });

  describe('dialogs', () => {
    async function openFileChooser(): Promise<void> {
      const note = fileURLToPath(new URL('pages/inner.html', import.meta.url));
      await open('widgets.html', new Map([['note.html', note]]));
      const field = elements().find(({ name }) => name.startsWith('Attachment'));
      if (field === undefined) throw new Error('no file field');
      await act({ kind: 'click', at: centre(field.box) });
    }

    test('an alert is shown over the page and blocks it until it is answered', async () => {
      await open('widgets.html');
      await click('button', 'Alert');
      expect(named('label')).toEqual(['Saved <b>']);
      expect(named('button')).toEqual(['OK']);
      await click('button', 'OK');
      expect(named('button')).toContain('Alert');
    });

    test('a prompt is answered by keyboard', async () => {
      await open('widgets.html');
      await click('button', 'Ask');
      await act({ kind: 'type', text: 'Lee' });
      await press('enter');
      expect(await valueIn('document.title')).toBe('Lee');
    });

    test('texts in other scripts stay as they are', async () => {
      await open('widgets.html');
      await valueIn("document.querySelector('button').onclick = () => alert('Größe – 保存')");
      await click('button', 'Alert');
      expect(named('label')).toEqual(['Größe – 保存']);
      await click('button', 'OK');
      await valueIn(
        "document.querySelector('button').onclick = () => { document.title = prompt('Name?', 'Zoë') }",
      );
      await click('button', 'Alert');
      await press('enter');
      expect(await valueIn('document.title')).toBe('Zoë');
    });

    test('a question is declined with Escape', async () => {
      await open('widgets.html');
      await click('button', 'Confirm');
      await press('esc');
      expect(await valueIn('document.title')).toBe('false');
    });

    test('after the user refused to leave the page, it goes on', async () => {
      await open('widgets.html');
      await valueIn("addEventListener('beforeunload', event => event.preventDefault())");
      await valueIn(
        "void document.body.insertAdjacentHTML('afterbegin', '<a href=visibility.html>Away</a>')",
      );
      // The page may only ask after it was used.
      await act({ kind: 'click', at: { x: 470, y: 350 } });
      await click('link', 'Away');
      expect(named('button')).toEqual(['Leave', 'Cancel']);
      await click('button', 'Cancel');
      expect(named('link')).toContain('Away');
    });

    test('a dialog over a screen of several megabytes is shown over it', async () => {
      await open('widgets.html', new Map(), { width: 1600, height: 1200 });
      await valueIn(`void (() => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 1600, height: 1200 });
        const context = canvas.getContext('2d');
        const noise = context.createImageData(1600, 1200);
        for (let i = 0; i < noise.data.length; i += 65536) crypto.getRandomValues(noise.data.subarray(i, i + 65536));
        for (let i = 3; i < noise.data.length; i += 4) noise.data[i] = 255;
        context.putImageData(noise, 0, 0);
        document.body.append(canvas);
      })()`);
      await look();
      expect(window().page.lastPicture?.length).toBeGreaterThan(2 ** 21);
      await click('button', 'Alert');
      expect(named('button')).toEqual(['OK']);
      // Noise has many colours. The corners of the screen have scroll bars.
      const { data } = screen().pixels;
      expect(new Set(data.subarray(data.length * 0.8, data.length * 0.8 + 400)).size).toBeGreaterThan(50);
    });

    test('a dialog that opens while another is shown is not answered in its place', async () => {
      await openFileChooser();
      expect(named('button')).toEqual(['note.html', 'Cancel']);
      void valueIn("document.title = String(confirm('Discard?'))").catch(() => undefined);
      await click('button', 'note.html');
      expect(named('label')).toEqual(['Discard?']);
      await click('button', 'Cancel');
      expect(await valueIn('document.title')).toBe('false');
      expect(named('button')).toEqual(['note.html', 'Cancel']);
    });

    test('all dialogs of a script are dismissed', async () => {
      await open('widgets.html');
      void valueIn("confirm('One?'), alert('Two'), document.title = String(prompt('Three'))").catch(
        () => undefined,
      );
      while (window().isReadable) await new Promise(resolve => setImmediate(resolve));
      await window().dismissDialogs();
      expect(await valueIn('document.title')).toBe('null');
    });

    test('after a dismissed dialog, what its script does later is waited for', async () => {
      await open('widgets.html');
      await valueIn(`document.querySelector('button').onclick = () => {
        alert('Saved');
        setTimeout(() => { document.title = 'Closed'; }, 200);
      }`);
      await click('button', String(await valueIn("document.querySelector('button').textContent")));
      expect(named('label')).toEqual(['Saved']);
      await window().dismissDialogs();
      expect(await valueIn('document.title')).toBe('Closed');
    });

    test('a dialog that opens while the picture is taken is shown', async () => {
      await open('widgets.html');
      const { page } = window();
      const pixels = page.pixels.bind(page);
      page.pixels = () => {
        page.pixels = pixels;
        void valueIn("alert('Late')").catch(() => undefined);
        // The browser takes no picture of a page that a dialog blocks.
        return new Promise(() => undefined);
      };
      await look();
      expect(named('label')).toEqual(['Late']);
      await click('button', 'OK');
      expect(named('button')).toContain('Alert');
    });

    test('a file chooser offers the files of the task', async () => {
      await openFileChooser();
      expect(named('button')).toEqual(['note.html', 'Cancel']);
      await click('button', 'note.html');
      expect(await valueIn('file.files[0].name')).toBe('inner.html');
    });
  });

  describe('tabs', () => {
    test('a new tab comes to the front, and closing it returns to the first', async () => {
      await open('widgets.html');
      await click('link', 'New tab');
      expect(await valueIn('document.title')).toBe('closed');
      await press('ctrl', 'w');
      expect(await valueIn('document.title')).toBe('Widgets');
    });

    test('back and reload, as with the keys of a browser', async () => {
      await open('widgets.html');
      await click('link', 'Frames');
      expect(named('label')).toContain('Above');
      await press('alt', 'left');
      expect(named('link')).toContain('Frames');
      await act({ kind: 'drag', from: at('label', 'piece'), to: at('label', 'zone') });
      await press('f5');
      expect(named('label')).toContain('zone');
    });

    test('a download is a file of the desktop', async () => {
      await open('widgets.html');
      await click('link', 'Download');
      const [file] = await window().context.downloads();
      expect(file).toMatchObject({ name: 'note.txt', complete: true });
      expect(await readFile(String(file?.path), 'utf8')).toBe('written');
    });
  });
});
