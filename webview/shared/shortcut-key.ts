// The key of a shortcut, whatever the keyboard layout and Caps Lock. Pure.

type PressedKey = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>;

/** A key together with one of these belongs to the browser or the editor. */
export const isCombined = ({
  altKey,
  ctrlKey,
  metaKey,
}: Pick<KeyboardEvent, 'altKey' | 'ctrlKey' | 'metaKey'>): boolean => altKey || ctrlKey || metaKey;

/** With Shift, only the typed character counts: Shift+A is not the shortcut A. */
export const shortcutKey = ({ key, code, shiftKey }: PressedKey): string =>
  shiftKey || [...key].length > 1 ? key : latinKey(key, code).toLowerCase();

/** Shortcuts of a layout without Latin letters use the letter or digit that a Latin layout has on the same key. */
export function latinKey(key: string, code: string): string {
  if (!/^[^ -~]$/u.test(key)) return key;
  return /^(?:Key|Digit)([A-Z\d])$/.exec(code)?.[1] ?? key;
}
