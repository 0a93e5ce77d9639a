// Moves the clock that a process reads: the file has the milliseconds that it is ahead. Timers keep their pace, as when somebody sets the
// clock of a machine.

import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';

const POLL_MS = 250;

/** Returns a function that ends it. */
export function followMovedClock(file: string): () => void {
  const now = Date.now;
  let aheadMs = 0;
  Date.now = () => now() + aheadMs;
  const read = () => {
    aheadMs = Number(readFileSync(file, 'utf8'));
  };
  read();
  watchFile(file, { interval: POLL_MS, persistent: false }, read);
  return () => unwatchFile(file, read);
}

/** Also creates the file. A reader sees the whole number. */
export async function moveClock(file: string, aheadMs: number): Promise<void> {
  await writeFile(`${file}.new`, String(aheadMs));
  await rename(`${file}.new`, file);
}
