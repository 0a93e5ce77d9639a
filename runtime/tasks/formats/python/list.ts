// Reads the list of texts that a program prints in Python's syntax, without evaluating it.

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  "'": "'",
  '"': '"',
};

/** The texts of a list such as `['a', "b"]`; undefined for everything else. */
export function readTextList(text: string): readonly string[] | undefined {
  const body = /^[ \t\r\n]*\[([\s\S]*)\][ \t\r\n]*$/.exec(text)?.[1];
  if (body === undefined) return undefined;
  const items: string[] = [];
  const item = /[ \t\r\n]*('(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*")[ \t\r\n]*(,|$)|([ \t\r\n]*$)/y;
  while (item.lastIndex < body.length) {
    const [, quoted, , end] = item.exec(body) ?? [];
    if (end !== undefined) return items;
    if (quoted === undefined) return undefined;
    items.push(withoutEscapes(quoted.slice(1, -1)));
  }
  return items;
}

const withoutEscapes = (text: string): string =>
  text.replace(/\\(x[\da-f]{2}|u[\da-f]{4}|[\s\S])/gi, (whole, code: string) =>
    code.length > 1 ? String.fromCodePoint(Number.parseInt(code.slice(1), 16)) : (ESCAPES[code] ?? whole),
  );
