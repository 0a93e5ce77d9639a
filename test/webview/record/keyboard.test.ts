// What a key press means while the desktop has the keyboard.

import { expect, test } from 'vitest';
import { request } from '../../../runtime/protocol/daemon/messages.ts';
import { type KeyPress, MENU_KEYS, meaningOf, RELEASE_MS } from '../../../webview/record/keyboard.ts';

const PLAIN: KeyPress = {
  ...{ key: 'a', code: 'KeyA', ctrlKey: false, altKey: false, shiftKey: false, metaKey: false },
  ...{ altGraph: false, isMac: false, isComposing: false, time: 1000 },
};
const meaning = (pressed: Partial<KeyPress>, escapedAt?: number) =>
  meaningOf({ ...PLAIN, ...pressed }, escapedAt);
const TEXT = { kind: 'text' };

test.each<Partial<KeyPress>>([
  { key: 'a' },
  { key: 'A', shiftKey: true },
  { key: ' ' },
  { key: 'ß' },
  { key: '@', altGraph: true, ctrlKey: true, altKey: true },
  { key: '@', isMac: true, altKey: true },
  { key: '€', isMac: true, altKey: true, shiftKey: true },
  { key: 'Dead' },
  { key: 'Process' },
  { key: 'n', ctrlKey: true, isComposing: true },
  { key: 'V', ctrlKey: true, shiftKey: true },
  { key: 'v', metaKey: true },
  { key: 'с', code: 'KeyC' },
  { key: 'М', code: 'KeyV', ctrlKey: true, shiftKey: true },
])('%j writes text', pressed => {
  expect(meaning(pressed)).toEqual(TEXT);
});

test.each<[Partial<KeyPress>, readonly string[]]>([
  [{ key: 'Enter' }, ['enter']],
  [{ key: 'Tab', shiftKey: true }, ['shift', 'tab']],
  [{ key: 'S', ctrlKey: true, shiftKey: true }, ['ctrl', 'shift', 's']],
  [{ key: 'v', ctrlKey: true }, ['ctrl', 'v']],
  [{ key: 'с', code: 'KeyC', ctrlKey: true }, ['ctrl', 'c']],
  [{ key: 'С', code: 'KeyC', ctrlKey: true, shiftKey: true }, ['ctrl', 'shift', 'c']],
  [{ key: 'é', code: 'Digit2', ctrlKey: true }, ['ctrl', '2']],
  // A Latin layout whose letters are on other keys.
  [{ key: 'y', code: 'KeyZ', ctrlKey: true }, ['ctrl', 'y']],
  [{ key: 'F5' }, ['f5']],
  [{ key: 'ArrowLeft', altKey: true }, ['alt', 'left']],
  [{ key: 'ArrowLeft', altKey: true, isMac: true }, ['alt', 'left']],
  [{ key: '@', altKey: true }, ['alt', '@']],
  [{ key: 'a', altKey: true, ctrlKey: true, isMac: true }, ['ctrl', 'alt', 'a']],
  [{ key: ' ', ctrlKey: true }, ['ctrl', 'space']],
  [{ key: 'Escape' }, ['esc']],
])('%j presses %j', (pressed, keys) => {
  expect(meaning(pressed)).toEqual({ kind: 'keys', keys });
});

test.each(['Shift', 'Control', 'Alt', 'F12', 'MediaPlayPause', 'CapsLock'])(
  '%s is left to the browser',
  key => {
    expect(meaning({ key, shiftKey: key === 'Shift' })).toEqual({ kind: 'ignored' });
  },
);

test('a second Escape soon after the first one releases the keyboard', () => {
  expect(meaning({ key: 'Escape' }, 1000 - RELEASE_MS)).toEqual({ kind: 'release' });
  expect(meaning({ key: 'Escape' }, 999 - RELEASE_MS)).toEqual({ kind: 'keys', keys: ['esc'] });
});

test('the daemon accepts every key that the page sends', () => {
  const keys = "abcdefghijklmnopqrstuvwxyz0123456789[];,./\\-=`'".split('');
  const named = [
    'Enter',
    'Tab',
    'Home',
    'PageUp',
    'Delete',
    'ContextMenu',
    'PrintScreen',
    'Pause',
    'F1',
    'F10',
  ];
  const sent = [...keys, ...named].map(key =>
    meaning({ key, ctrlKey: true, metaKey: key !== 'v' && key === 'a' }),
  );
  for (const each of [...sent, ...MENU_KEYS.map(keys => ({ kind: 'keys', keys }))]) {
    if (each.kind !== 'keys' || !('keys' in each)) throw new Error(`${JSON.stringify(each)} is no chord.`);
    const inputs = [{ event: { kind: 'keys', keys: each.keys }, time: 0, frame: 0 }];
    const parsed = request.safeParse({ id: 1, method: 'record.input', params: { recording: 'r', inputs } });
    expect(parsed.error?.message).toBeUndefined();
  }
});
