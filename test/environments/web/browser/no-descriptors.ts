// A process without a free file descriptor that starts a browser, and prints the error.

import { openSync } from 'node:fs';
import { startBrowserProcess } from '../../../../runtime/environments/web/browser/process.ts';

try {
  for (;;) openSync('/dev/null', 'r');
} catch {
  // There is no free one left.
}
try {
  startBrowserProcess({ path: process.execPath, flags: [], environment: {} });
} catch (error) {
  process.stdout.write(`${error}\n`);
}
// An error that nobody handles would end the process in one of the next turns.
setTimeout(() => process.stdout.write('went on\n'), 50);
