import { expect, test } from 'vitest';
import { shortcutKey } from '../../../webview/shared/shortcut-key.ts';

test.each([
  [{ key: 'a', code: 'KeyA' }, 'a'],
  // Caps Lock.
  [{ key: 'A', code: 'KeyA' }, 'a'],
  [{ key: 'ф', code: 'KeyA' }, 'a'],
  [{ key: 'Ф', code: 'KeyA' }, 'a'],
  // A Latin layout whose letters are on other keys.
  [{ key: 'y', code: 'KeyZ' }, 'y'],
  [{ key: '[', code: 'Digit5' }, '['],
  [{ key: ' ', code: 'Space' }, ' '],
  [{ key: 'ArrowLeft', code: 'ArrowLeft' }, 'ArrowLeft'],
])('%o is the shortcut %j', (pressed, key) => {
  expect(shortcutKey({ ...pressed, shiftKey: false })).toBe(key);
});

test('with Shift, the typed character counts', () => {
  expect(shortcutKey({ key: 'A', code: 'KeyA', shiftKey: true })).toBe('A');
  expect(shortcutKey({ key: 'Ф', code: 'KeyA', shiftKey: true })).toBe('Ф');
  expect(shortcutKey({ key: '[', code: 'Digit8', shiftKey: true })).toBe('[');
});
