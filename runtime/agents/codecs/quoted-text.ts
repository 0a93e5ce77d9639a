// Writes Python strings. call.ts reads them.

const WRITTEN_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\\\'],
  ["'", "\\'"],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** The text as a Python string on one line. Control characters, line breaks and the mark that ends a thought are escaped. */
export const quoted = (text: string): string => {
  const characters = Array.from(text, character => {
    const simple = WRITTEN_ESCAPES.get(character);
    if (simple !== undefined) return simple;
    return /[\p{Cc}\p{Cs}\u2028\u2029]/u.test(character) ? hexEscape(character) : character;
  });
  return `'${characters.join('').replaceAll('</think', '\\x3c/think')}'`;
};

const hexEscape = (character: string): string => {
  const code = character.charCodeAt(0);
  return code <= 0xff
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
};
