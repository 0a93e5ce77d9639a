// Translates regular expressions of Python to the syntax of `compilePattern`. Classes such as `\w` contain letters of every language in
// Python, and `$` also matches before a last line feed.

const CLASSES: Readonly<Record<string, string>> = {
  d: '\\p{Nd}',
  w: '\\p{L}\\p{N}_',
  s: '\\t-\\r\\x1c-\\x20\\x85\\xa0\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}',
};

const FLAGS: Readonly<Record<string, string>> = {
  I: 'i',
  IGNORECASE: 'i',
  M: 'm',
  MULTILINE: 'm',
  S: 's',
  DOTALL: 's',
  U: '',
  UNICODE: '',
};

/** The pattern with its flags, named as in Python's module `re`; undefined for an unknown flag. */
export function translatePattern(pattern: string, flags: readonly string[] = []): string | undefined {
  const letters = flags.map(flag => (Object.hasOwn(FLAGS, flag) ? FLAGS[flag] : undefined));
  if (letters.includes(undefined)) return undefined;
  const prefix = [...new Set(letters.join(''))].join('');
  return (prefix === '' ? '' : `(?${prefix})`) + translate(pattern, prefix.includes('m'));
}

function translate(pattern: string, isMultiline: boolean): string {
  let translated = '';
  let isInClass = false;
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern.charAt(index);
    if (character === '\\') {
      index += 1;
      translated += escaped(pattern.charAt(index), isInClass);
    } else if (isInClass) {
      isInClass = character !== ']';
      translated += character === '[' ? '\\[' : character;
    } else if (character === '[') {
      const start = /^\[\^?\]?/.exec(pattern.slice(index))?.[0] ?? '[';
      index += start.length - 1;
      isInClass = true;
      translated += start.replace(']', '\\]');
    } else {
      translated += character === '$' && !isMultiline ? '(?:\\n?\\z)' : character;
    }
  }
  return translated;
}

function escaped(letter: string, isInClass: boolean): string {
  if (letter === 'Z' && !isInClass) return '\\z';
  const members = CLASSES[letter.toLowerCase()];
  if (members === undefined) return `\\${letter}`;
  if (letter === letter.toLowerCase()) return isInClass ? members : `[${members}]`;
  // A class cannot contain the complement of another one: the one of ASCII is nearest.
  return isInClass ? `\\${letter}` : `[^${members}]`;
}
