// A process without a free file descriptor that runs the command which restores a guest, and prints the error.

import { openSync } from 'node:fs';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { runRevert } from '../../../runtime/environments/guest/revert-command.ts';

try {
  for (;;) openSync('/dev/null', 'r');
} catch {
  // There is no free one left.
}
try {
  const signal = new AbortController().signal;
  await runRevert({ command: 'exit 0', address: 'http://127.0.0.1:5000', clock: systemClock, signal });
} catch (error) {
  process.stdout.write(`${error}\n`);
}
// An error that nobody handles would have ended the process by the next turn.
setImmediate(() => process.stdout.write('went on\n'));
