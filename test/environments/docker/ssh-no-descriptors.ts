// A process without a free file descriptor that sends requests by ssh one after another, and prints their errors.

import { openSync } from 'node:fs';
import { get } from 'node:http';
import { SshAgent } from '../../../runtime/environments/docker/ssh.ts';

/** More than connections may start at once. */
const REQUESTS = 6;

try {
  for (;;) openSync('/dev/null', 'r');
} catch {
  // There is no free one left.
}
const agent = new SshAgent({ kind: 'ssh', destination: 'ada@lab' });
for (let request = 0; request < REQUESTS; request += 1) {
  const error = await new Promise<Error>(resolve => get({ agent, host: 'engine' }).once('error', resolve));
  process.stdout.write(`${error.message}\n`);
}
process.stdout.write('went on\n');
