// The accessibility tree of a guest as elements.

import { describe, expect, test } from 'vitest';
import { listElements } from '../../../runtime/agents/model/elements.ts';
import { elementsOfTree } from '../../../runtime/environments/guest/accessibility.ts';

const SIZE = { width: 800, height: 600 };
const SPACES =
  'xmlns:st="https://accessibility.ubuntu.example.org/ns/state" xmlns:cp="https://accessibility.ubuntu.example.org/ns/component"';

interface Node {
  readonly name: string;
  readonly at?: string;
  readonly size?: string;
  readonly states?: readonly string[];
  readonly text?: string;
  readonly value?: string;
}

const node = (
  tag: string,
  {
    name,
    at = '(10, 20)',
    size = '(100, 30)',
    states = ['showing', 'visible', 'enabled'],
    text = '',
    value,
  }: Node,
) =>
  `<${tag} name="${name}" ${value === undefined ? '' : `value="${value}"`} ${states.map(each => `st:${each}="true"`).join(' ')} cp:screencoord="${at}" cp:size="${size}">${text}</${tag}>`;

const elements = (...nodes: readonly string[]) =>
  elementsOfTree(`<desktop-frame ${SPACES}>${nodes.join('')}</desktop-frame>`, SIZE);

test('roles, states and boxes are those of the other desktops', () => {
  expect(
    elements(
      node('push-button', { name: ' Save ' }),
      node('entry', { name: 'Name', text: 'Ann', states: ['showing', 'visible', 'editable'] }),
    ),
  ).toEqual([
    { role: 'button', name: 'Save', value: '', states: [], box: { x: 10, y: 20, width: 100, height: 30 } },
    {
      role: 'textfield',
      name: 'Name',
      value: 'Ann',
      states: ['editable', 'disabled'],
      box: { x: 10, y: 20, width: 100, height: 30 },
    },
  ]);
});

test('a value of blanks is none', () => {
  const found = elements(
    node('entry', { name: 'City', value: '  ' }),
    node('entry', { name: 'Street', text: '\n  ' }),
    node('label', { name: '', value: ' ' }),
    node('entry', { name: 'Name', value: ' Ann' }),
  );
  expect(found.map(({ name, value }) => [name, value])).toEqual([
    ['City', ''],
    ['Street', ''],
    ['Name', ' Ann'],
  ]);
});

test('what is hidden, empty, off the screen or only arranges others is left out', () => {
  expect(
    elements(
      node('push-button', { name: 'hidden', states: ['visible', 'enabled'] }),
      node('label', { name: '' }),
      node('push-button', { name: 'off', at: '(900, 0)' }),
      node('push-button', { name: 'none', size: '(0, 0)' }),
      node('panel', { name: 'panel' }),
    ),
  ).toEqual([]);
});

test('a box is cut at the edge of the screen, and children follow their parents', () => {
  const inner = node('push-button', { name: 'inner' });
  const found = elements(node('frame', { name: 'Window', at: '(-20, 0)', size: '(900, 700)', text: inner }));
  expect(found.map(({ role, name }) => [role, name])).toEqual([
    ['window', 'Window'],
    ['button', 'inner'],
  ]);
  expect(found[0]?.box).toEqual({ x: 0, y: 0, width: 800, height: 600 });
});

test('levels beyond those of any page, and places beyond any screen, are left out', () => {
  const deep = `${'<panel>'.repeat(5000)}${node('push-button', { name: 'Far inside' })}${'</panel>'.repeat(5000)}`;
  const far = node('push-button', {
    name: 'Far away',
    at: `(${'9'.repeat(400)}, 0)`,
    size: `(${'9'.repeat(400)}, 30)`,
  });
  expect(elements(deep, far, node('push-button', { name: 'Here' })).map(({ name }) => name)).toEqual([
    'Here',
  ]);
});

describe('applications in the order in which the server has read them', () => {
  const ACTIVE = ['showing', 'visible', 'enabled', 'active'];
  const application = (...windows: readonly string[]) =>
    `<application name="any">${windows.join('')}</application>`;
  /** With a button inside. */
  const window = (name: string, given: Partial<Node> = {}, tag = 'frame') =>
    node(tag, {
      ...{ name, at: '(70, 30)', size: '(700, 500)' },
      text: node('push-button', { name: `${name} button`, at: '(100, 100)' }),
      ...given,
    });
  const names = (found: ReturnType<typeof elements>) => found.map(({ name }) => name);
  const listed = (found: ReturnType<typeof elements>) =>
    names(listElements({ elements: found, pixels: SIZE }));

  test('have the active window in front, so that the windows behind it do not hide its elements', () => {
    const found = elements(application(window('Browser', { states: ACTIVE })), application(window('Table')));
    expect(names(found)).toEqual(['Table', 'Table button', 'Browser', 'Browser button']);
    expect(listed(found)).toEqual(['Browser', 'Browser button']);
  });

  test('keep the elements of the active window if the others have more than the limit', () => {
    const cells = Array.from({ length: 600 }, (_, index) => node('table-cell', { name: `cell ${index}` }));
    const found = elements(
      application(window('Browser', { states: ACTIVE })),
      application(window('Table', { text: cells.join('') })),
    );
    expect(found).toHaveLength(512);
    expect(names(found).slice(-3)).toEqual(['cell 599', 'Browser', 'Browser button']);
  });

  test('have the dialogs of the active application in front of its windows', () => {
    const found = elements(
      application(
        window('Find', { text: '' }, 'dialog'),
        window('Table', { states: ACTIVE, text: '' }),
        window('Other table', { text: '' }),
      ),
      application(window('Browser', { text: '' })),
    );
    expect(names(found)).toEqual(['Browser', 'Other table', 'Table', 'Find']);
  });

  test('show the dock and the icons of the desktop, whose windows fill the screen', () => {
    const whole = { at: '(0, 0)', size: '(800, 600)' };
    const dock = node('push-button', { name: 'Dock', at: '(0, 100)', size: '(60, 60)' });
    const icon = node('push-button', { name: 'Home', at: '(10, 540)', size: '(50, 50)' });
    const found = elements(
      application(window('Browser', { states: ACTIVE })),
      application(window('Shell', { ...whole, text: dock }, 'window')),
      application(window('Desktop', { ...whole, text: icon })),
    );
    expect(listed(found)).toEqual(['Dock', 'Home', 'Browser', 'Browser button']);
  });

  test('keep their order if they do not overlap the active window, or none is active', () => {
    const left = { at: '(0, 0)', size: '(300, 300)', text: '' };
    const right = { at: '(400, 0)', size: '(300, 300)', text: '' };
    expect(
      names(
        elements(
          application(window('Left', { ...left, states: ACTIVE })),
          application(window('Right', right)),
        ),
      ),
    ).toEqual(['Left', 'Right']);
    expect(
      names(elements(application(window('One', { text: '' })), application(window('Other', { text: '' })))),
    ).toEqual(['One', 'Other']);
  });
});
