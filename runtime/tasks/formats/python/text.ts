// Reads and splits texts as Python does: metrics of OSWorld open files in text mode and strip, split and compare what they get.

/** White space of Python, which differs from `\s` in the information separators, U+0085 and U+FEFF. */
export const SPACE = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

const LEADING = new RegExp(`^[${SPACE}]+`);
const TRAILING = new RegExp(`(?<![${SPACE}])[${SPACE}]+$`);
const RUN = new RegExp(`[${SPACE}]+`);
// biome-ignore lint/suspicious/noControlCharactersInRegex: Python splits lines at the information separators.
const LINE_END = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/;

export const stripStart = (text: string): string => text.replace(LEADING, '');

export const stripEnd = (text: string): string => text.replace(TRAILING, '');

export const strip = (text: string): string => stripEnd(stripStart(text));

/** The words between runs of white space. */
export const splitWords = (text: string): readonly string[] => {
  const stripped = strip(text);
  return stripped === '' ? [] : stripped.split(RUN);
};

/** UTF-8 with its byte order mark, if there is one; undefined for other bytes. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A text file: UTF-8 in which every line ends in `\n`; undefined for other bytes. */
export const readText = (bytes: Uint8Array): string | undefined => decodeUtf8(bytes)?.replace(/\r\n?/g, '\n');

/** The lines without their ends, as `str.splitlines`: a last line end starts no further line. */
export function splitLines(text: string): readonly string[] {
  const lines = text.split(LINE_END);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** The lines with their `\n`, as a loop over a file gives them. */
export const linesOf = (text: string): readonly string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
