// The accessibility tree of a guest as elements.

import { expect, test } from 'vitest';
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
}

const node = (
  tag: string,
  { name, at = '(10, 20)', size = '(100, 30)', states = ['showing', 'visible', 'enabled'], text = '' }: Node,
) =>
  `<${tag} name="${name}" ${states.map(each => `st:${each}="true"`).join(' ')} cp:screencoord="${at}" cp:size="${size}">${text}</${tag}>`;

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
