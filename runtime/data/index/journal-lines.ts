// Reads what was added to a journal since some place in it. Lines that cannot be read are passed over, and told.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

export interface Lines<T> {
  readonly records: readonly T[];
  /** Where the next reading begins. */
  readonly end: number;
  readonly complaints: readonly string[];
}

/** Undefined where the file is shorter than that place: it is not the one that was read before. */
export function linesFrom<T>(
  path: string,
  start: number,
  parse: (value: unknown) => T | undefined,
): Lines<T> | undefined {
  const bytes = bytesFrom(path, start);
  if (bytes === undefined) return undefined;
  const end = bytes.lastIndexOf(0x0a) + 1;
  const records: T[] = [];
  const complaints: string[] = [];
  for (const line of bytes.toString('utf8', 0, end).split('\n').slice(0, -1)) {
    const record = parse(parsed(line));
    if (record === undefined)
      complaints.push(`'${path}' has a line that is passed over: ${line.slice(0, 100)}`);
    else records.push(record);
  }
  return { records, end: start + end, complaints };
}

function bytesFrom(path: string, start: number): Buffer | undefined {
  try {
    const file = openSync(path, 'r');
    try {
      const { size } = fstatSync(file);
      if (size < start) return undefined;
      const bytes = Buffer.alloc(size - start);
      readSync(file, bytes, 0, bytes.length, start);
      return bytes;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    return start === 0 ? Buffer.alloc(0) : undefined;
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
