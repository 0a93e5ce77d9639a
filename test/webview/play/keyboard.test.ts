import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { request } from '../../../runtime/protocol/play.ts';
import { actionForKey, type KeyPress } from '../../../webview/play/keyboard.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const POCKET = 'runtime/environments/pocket';

const pressed = (
  key: string,
  ...held: readonly ('ctrl' | 'alt' | 'shift' | 'meta' | 'altGraph')[]
): KeyPress => ({
  key,
  ctrlKey: held.includes('ctrl'),
  altKey: held.includes('alt'),
  shiftKey: held.includes('shift'),
  metaKey: held.includes('meta'),
  altGraph: held.includes('altGraph'),
});

test.each<[string, KeyPress, unknown]>([
  ['a letter is typed', pressed('a'), { kind: 'type', text: 'a' }],
  ['a capital is typed as one', pressed('A', 'shift'), { kind: 'type', text: 'A' }],
  ['so is what AltGr writes', pressed('@', 'ctrl', 'alt', 'altGraph'), { kind: 'type', text: '@' }],
  ['and what no US keyboard has', pressed('ß'), { kind: 'type', text: 'ß' }],
  ['the space bar is a key', pressed(' '), { kind: 'hotkey', keys: ['space'] }],
  ['so is Tab', pressed('Tab', 'shift'), { kind: 'hotkey', keys: ['shift', 'tab'] }],
  ['and an arrow', pressed('ArrowDown'), { kind: 'hotkey', keys: ['down'] }],
  ['a shortcut is pressed', pressed('c', 'ctrl'), { kind: 'hotkey', keys: ['ctrl', 'c'] }],
  ['also one that would reload the page', pressed('r', 'ctrl'), { kind: 'hotkey', keys: ['ctrl', 'r'] }],
  ['with its shift', pressed('Z', 'ctrl', 'shift'), { kind: 'hotkey', keys: ['ctrl', 'shift', 'z'] }],
  ["with a Mac's command key", pressed('v', 'meta'), { kind: 'hotkey', keys: ['ctrl', 'v'] }],
  ['F2 is pressed', pressed('F2'), { kind: 'hotkey', keys: ['f2'] }],
])('%s', (_, key, gesture) => {
  expect(actionForKey(key)).toEqual(gesture);
  expect(request.safeParse({ method: 'act', id: 1, params: { action: gesture } }).success).toBe(true);
});

test("every shortcut of the desktop's menus can be pressed or chosen from the list", () => {
  const text = (path: string) => readFileSync(join(ROOT, path), 'utf8');
  const files = readdirSync(join(ROOT, POCKET), { recursive: true, encoding: 'utf8' });
  const menus = files.filter(file => file.endsWith('.ts')).map(file => text(join(POCKET, file)));
  const shown = menus.flatMap(source => [...source.matchAll(/Ctrl\+(?:Shift\+)?([A-Z])\b/g)]);
  const letters = new Set(shown.map(([, letter = '']) => letter.toLowerCase()));
  expect(letters).toContain('r');
  const page = text('webview/play/play.html');
  const lost = [...letters].filter(
    letter => actionForKey(pressed(letter, 'ctrl')) === undefined && !page.includes(`value="ctrl ${letter}"`),
  );
  expect(lost).toEqual([]);
});

test.each<[string, KeyPress]>([
  ['reloading', pressed('F5')],
  ["the browser's tools", pressed('F12')],
  ['leaving the screen', pressed('F6')],
  ['a new tab', pressed('t', 'ctrl')],
  ['a modifier alone', pressed('Control', 'ctrl')],
  ['a dead key', pressed('Dead')],
])('%s stays with the browser', (_, key) => {
  expect(actionForKey(key)).toBeUndefined();
});
