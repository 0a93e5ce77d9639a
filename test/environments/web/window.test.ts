// A window with a real browser: what is listed, when the screen has settled, and the widgets, dialogs and tabs of a browser.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Action } from '../../../runtime/core/action.ts';
import { key } from '../../../runtime/core/key.ts';
import { centre, type Element, type Point, type Screen } from '../../../runtime/core/screen.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import type { Browsers } from '../../../runtime/environments/web/browsers.ts';
import { ASK_BUSY } from '../../../runtime/environments/web/page/in-page/channel.ts';
import { WebWindow } from '../../../runtime/environments/web/window.ts';
import { INSTALLED_BROWSERS, NO_BROWSER, openBrowsers } from './browsers.ts';

if (INSTALLED_BROWSERS.length === 0) process.stderr.write(`${NO_BROWSER}\n`);

/** Whether work is unfinished that an input caused. */
const BUSY = `!window.dispatchEvent(new Event('${ASK_BUSY}', { cancelable: true }))`;
const SIZE = { width: 480, height: 360 };

describe.skipIf(INSTALLED_BROWSERS.length === 0).each(INSTALLED_BROWSERS)('$kind browser', browser => {
  let browsers: Browsers;
  let window: WebWindow;
  let screen: Screen;

  beforeAll(() => {
    browsers = openBrowsers(browser);
  });
  afterEach(() => window.close());
  afterAll(() => browsers.close());

  async function open(
    page: string,
    uploads: ReadonlyMap<string, string> = new Map(),
    size = SIZE,
  ): Promise<void> {
    window = await WebWindow.open({ browsers, size, clock: systemClock, uploads });
    await window.context.open(`http://pages.test/${page}`);
    screen = await window.look();
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

  async function act(action: Action): Promise<void> {
    screen = await window.act(action);
  }

  const click = (role: string, name: string) => act({ kind: 'click', at: at(role, name) });
  const press = (...[first, ...others]: [string, ...string[]]) =>
    act({ kind: 'hotkey', keys: [key(first), ...others.map(key)] });
  const valueIn = (expression: string) => window.page.evaluate(expression);

  describe('elements', () => {
    test('what is hidden, covered, clipped or off the screen is not listed', async () => {
      await open('visibility.html');
      expect(named('button')).toEqual(['Plain', 'Half', 'Edge', 'Shown', 'Edit', '', 'Menu']);
    });

    test('the box of a partly covered element is the part whose middle can be pressed', async () => {
      await open('visibility.html');
      const half = elements().find(({ name }) => name === 'Half');
      expect(half?.box).toEqual({ x: 80, y: 30, width: 30, height: 20 });
      const edge = elements().find(({ name }) => name === 'Edge');
      expect(edge?.box).toEqual({ x: 80, y: 60, width: 15, height: 20 });
    });

    test('texts are labels, and texts inside a link or button are its name', async () => {
      await open('visibility.html');
      expect(named('label')).toEqual(['Read', 'this', 'now', 'Row', 'Total']);
      expect(named('link')).toEqual(['link']);
      expect(named('cell')).toEqual(['Name', 'Ann']);
    });

    test('squares, shapes and images that look pressable are listed', async () => {
      await open('visibility.html');
      expect(named('shape')).toEqual(['div', 'div', 'div', 'div', 'circle', 'rect']);
      expect(named('image').slice(0, 1)).toEqual(['']);
    });

    test('a picture without a description has the name of its file', async () => {
      await open('visibility.html');
      expect(named('image').slice(1)).toEqual(['square', 'square']);
      expect(named('label')).toContain('Row');
    });

    test('a text without size is in no name', async () => {
      await open('visibility.html');
      expect(elements().map(({ name }) => name)).not.toContainEqual(expect.stringMatching(/secret|7/));
    });

    test('frames of the same and of another origin, and open and closed shadow roots', async () => {
      await open('frames.html');
      expect(await valueIn('document.title')).toBe('closed');
      const inside = elements().filter(({ name }) => name === 'Inside');
      expect(inside.map(({ box }) => box)).toEqual([
        { x: 32, y: 37, width: 60, height: 20 },
        { x: 32, y: 107, width: 60, height: 20 },
      ]);
      expect(named('button')).toEqual(expect.arrayContaining(['In open root', 'In closed root']));
      expect(named('button')).not.toContain('Far below');
    });

    test('a frame of another origin within one of the same, also when it is scrolled off the screen', async () => {
      await open('nested.html');
      const boxes = () =>
        elements()
          .filter(({ name }) => name === 'Inside')
          .map(({ box }) => box);
      expect(boxes()).toEqual([{ x: 40, y: 45, width: 60, height: 20 }]);
      expect(named('button').filter(name => name === 'Middle')).toHaveLength(1);
      await valueIn('scrollTo(0, 50)');
      screen = await window.look();
      expect(boxes()).toEqual([{ x: 40, y: 0, width: 60, height: 15 }]);
      await valueIn('scrollTo(0, 70)');
      screen = await window.look();
      expect(boxes()).toEqual([]);
    });

    test('the options of an open select box, also where the box is in a small area that scrolls', async () => {
      await open('visibility.html');
      await valueIn(
        `document.body.insertAdjacentHTML('afterbegin', '<div style="position: absolute; left: 300px; top: 200px; width: 120px; height: 24px; overflow: auto"><select aria-label="Fruit"><option>Apple<option>Pear<option>Plum</select></div>')`,
      );
      screen = await window.look();
      await click('dropdown', 'Fruit');
      expect(elements().map(({ name }) => name)).toEqual(expect.arrayContaining(['Apple', 'Pear', 'Plum']));
    });

    test('a press in a frame of another origin reaches it', async () => {
      await open('frames.html');
      await act({ kind: 'click', at: { x: 40, y: 117 } });
      expect(named('button').filter(name => name === 'Pressed')).toHaveLength(1);
    });

    test('a check box and the label around it are one element, unless the page hides the box', async () => {
      await open('widgets.html');
      expect(named('checkbox')).toEqual(['I agree']);
      expect(named('label')).not.toContain('I agree');
      const label = await valueIn("document.querySelector('label').getBoundingClientRect().width");
      expect(elements().find(({ role }) => role === 'checkbox')?.box.width).toBeCloseTo(Number(label), -1);
      await valueIn('agree.style.opacity = 0');
      await act({ kind: 'wait' });
      expect(named('checkbox')).toEqual([]);
      await click('label', 'I agree');
      expect(await valueIn('agree.checked')).toBe(true);
    });

    test('values, states and hidden secrets', async () => {
      await open('widgets.html');
      await click('checkbox', 'I agree');
      expect(elements().find(({ role }) => role === 'checkbox')?.states).toEqual(['checked', 'focused']);
      expect(elements().find(({ name }) => name === 'Secret')).toMatchObject({
        role: 'textfield',
        value: '•••',
      });
      expect(elements().find(({ role }) => role === 'slider')).toMatchObject({ name: 'Volume', value: '50' });
    });
  });

  describe('settling', () => {
    const reactions = [
      ...[
        'timeout',
        'chain',
        'frames',
        'idle',
        'fetch',
        'body',
        'request',
        'transition',
        'message',
        'interval',
      ],
      ...['picture', 'apart', 'await', 'worker'],
    ];
    test.each(reactions)('the screen after a press shows its effect: %s', async name => {
      await open('reactions.html');
      await click('button', name);
      expect(named('label')).toContain(`${name} done`);
    });

    test('the end of a transition is waited for while the page is busy', async () => {
      await open('reactions.html');
      const busy = 'for (const end = performance.now() + 12; performance.now() < end;);';
      await valueIn(`void setInterval(() => { ${busy} }, 30)`);
      for (let milliseconds = 40; milliseconds < 100; milliseconds += 7) {
        await valueIn("void (fade.style = 'transition: none', fade.offsetWidth, out.textContent = 'start')");
        await valueIn(`void (fade.style.transition = 'width ${milliseconds}ms linear')`);
        await act({ kind: 'wait' });
        await click('button', 'transition');
        expect(named('label'), `${milliseconds} ms`).toContain('transition done');
      }
    });

    test('an endless reaction is not waited for again', async () => {
      await open('reactions.html');
      await click('button', 'endless');
      expect(named('label')).toContain('endless begun');
      await click('button', 'timeout');
      expect(named('label')).toContain('timeout done');
    });

    test('a reaction that renews itself is not waited for again', async () => {
      await open('reactions.html');
      await click('button', 'loop');
      expect(named('label')).toContain('loop begun');
      // Longer than a link of the chain: the next one begins meanwhile.
      await valueIn('new Promise(resolve => setTimeout(resolve, 500))');
      expect(await valueIn(BUSY)).toBe(false);
    });

    test('a worker that does not answer is not waited for again', async () => {
      await open('reactions.html');
      await click('button', 'silent');
      expect(named('label')).toContain('silent begun');
      await click('button', 'timeout');
      expect(named('label')).toContain('timeout done');
    });

    test('a timeout of several seconds is not waited for', async () => {
      await open('reactions.html');
      await click('button', 'late');
      expect(named('label')).toContain('start');
    });

    test('a page that a press opens is loaded first, also after a while', async () => {
      await open('reactions.html');
      await click('button', 'navigate');
      expect(named('button')).toContain('Inside');
      await window.close();
      await open('reactions.html');
      await click('button', 'later page');
      expect(named('button')).toContain('Inside');
    });

    test('a page that a press opens in a frame is loaded first', async () => {
      await open('reacting-frames.html');
      await click('button', 'open in frame');
      expect(named('button')).toContain('Inside');
    });

    test('a reaction in a frame of another origin is waited for', async () => {
      await open('reacting-frames.html');
      await click('button', 'In frame');
      expect(named('button')).toContain('In frame done');
    });
  });

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
      screen = await window.look();
      expect(window.page.lastPicture.length).toBeGreaterThan(2 ** 21);
      await click('button', 'Alert');
      expect(named('button')).toEqual(['OK']);
      // Noise has many colours. The corners of the screen have scroll bars.
      const { data } = screen.pixels;
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
      while (window.isReadable) await new Promise(resolve => setImmediate(resolve));
      await window.dismissDialogs();
      expect(await valueIn('document.title')).toBe('null');
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
      const [file] = await window.context.downloads();
      expect(file).toMatchObject({ name: 'note.txt', complete: true });
      expect(await readFile(String(file?.path), 'utf8')).toBe('written');
    });
  });
});
