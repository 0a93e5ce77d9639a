// Splits a stream of bytes into lines of text without keeping more than one line.

import type { SourceLine } from './source.ts';

const LINE_FEED = 0x0a;

/** Numbers start at 1 and count empty lines, which are left out. */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  maxLineBytes: number,
): AsyncGenerator<SourceLine> {
  let parts: Uint8Array[] = [];
  let length = 0;
  let number = 1;
  const finished = (): SourceLine | undefined => {
    const line = lineOf(parts, length, number, maxLineBytes);
    number += 1;
    parts = [];
    length = 0;
    return line;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      length += end - from;
      if (length <= maxLineBytes) parts.push(chunk.subarray(from, end));
      const line = finished();
      if (line !== undefined) yield line;
      from = end + 1;
    }
    length += chunk.length - from;
    // A copy: the buffer of the stream may be reused.
    if (length <= maxLineBytes) parts.push(chunk.slice(from));
    else parts = [];
  }
  const last = length === 0 ? undefined : finished();
  if (last !== undefined) yield last;
}

function lineOf(
  parts: readonly Uint8Array[],
  length: number,
  number: number,
  maxLineBytes: number,
): SourceLine | undefined {
  if (length > maxLineBytes) return { kind: 'too-long', number };
  const text = Buffer.concat(parts)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trim();
  return text === '' ? undefined : { kind: 'text', number, text };
}
