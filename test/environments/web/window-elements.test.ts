// The elements that a window with a real browser lists.

import { describe, expect, test } from 'vitest';
import { INSTALLED_BROWSERS, NO_BROWSER } from './browsers.ts';
import { openedWindow } from './opened-window.ts';

if (INSTALLED_BROWSERS.length === 0) process.stderr.write(`${NO_BROWSER}\n`);

/** Properties of a form that the script in the page needs. */
const HIDDEN_BY_FIELDS = [
  ...['nodeType', 'childNodes', 'shadowRoot', 'parentElement', 'assignedSlot', 'ownerDocument', 'localName'],
  ...['computedName', 'getRootNode', 'hasAttribute', 'getAttribute', 'matches', 'closest', 'querySelector'],
  ...['checkVisibility', 'getClientRects', 'getBoundingClientRect'],
];

describe.skipIf(INSTALLED_BROWSERS.length === 0).each(INSTALLED_BROWSERS)('$kind browser', browser => {
  const { act, click, elements, look, named, open, valueIn } = openedWindow(browser);

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
    await look();
    expect(boxes()).toEqual([{ x: 40, y: 0, width: 60, height: 15 }]);
    await valueIn('scrollTo(0, 70)');
    await look();
    expect(boxes()).toEqual([]);
  });

  test('a button in a frame with padding is where it is drawn', async () => {
    await open('visibility.html');
    await valueIn(
      `new Promise(resolve => { const frame = document.createElement('iframe'); frame.id = 'padded'; frame.onload = resolve;
        frame.style = 'position: absolute; left: 300px; top: 200px; width: 100px; height: 60px; padding: 20px';
        frame.srcdoc = '<body style="margin: 0"><button aria-label="Small" style="width: 16px; height: 16px" onclick="document.title = 1"></button>';
        document.body.append(frame); }).then(() => 0)`,
    );
    await look();
    await click('button', 'Small');
    expect(await valueIn('padded.contentDocument.title')).toBe('1');
  });

  test.each(HIDDEN_BY_FIELDS)('a form with a field named %s is listed', async name => {
    await open('visibility.html');
    const forms = [
      `<form style="position: absolute; left: 300px; top: 200px"><input name="${name}" aria-label="Field"></form>`,
      // A square outside covers its text and its field.
      `<form onclick="" style="position: absolute; left: 300px; top: 260px; width: 60px; height: 80px; overflow: hidden">
        Send<input name="${name}" style="width: 40px"></form>
      <div style="position: absolute; left: 300px; top: 260px; width: 60px; height: 50px; background: white"></div>`,
      `<form id="painted" style="position: absolute; left: 400px; top: 260px; width: 20px; height: 20px; background: red">
      </form><input form="painted" name="${name}" hidden>`,
    ];
    await valueIn(`document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(forms.join(''))})`);
    await look();
    expect(named('textfield')).toEqual(['Field']);
    expect(named('button')).toEqual(expect.arrayContaining(['Plain', 'Send']));
    expect(named('shape')).toContain('form');
  });

  test('the options of an open select box, also where the box is in a small area that scrolls', async () => {
    await open('visibility.html');
    await valueIn(
      `document.body.insertAdjacentHTML('afterbegin', '<div style="position: absolute; left: 300px; top: 200px; width: 120px; height: 24px; overflow: auto"><select aria-label="Fruit"><option>Apple<option>Pear<option>Plum</select></div>')`,
    );
    await look();
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
