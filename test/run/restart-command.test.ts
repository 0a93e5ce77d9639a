// Restart commands as real programs: their variables, their failures, and their end by a signal.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runRestartCommand } from '../../runtime/run/restart-command.ts';
import { temporaryFolder } from '../temporary.ts';

const NEVER = new AbortController().signal;
const node = (code: string, ...args: readonly string[]) => ({
  ...{ command: process.execPath, args: ['-e', code, ...args] },
});

test('a command gets its arguments and variables, without a shell', async () => {
  const file = join(temporaryFolder('restart'), 'seen.json');
  const code =
    "require('fs').writeFileSync(process.argv[1], JSON.stringify([process.argv[2], process.env.A, process.env.B]))";
  await runRestartCommand({ A: 'old', B: 'kept' })(
    node(code, file, '$A; exit 1'),
    { A: '/weights/1' },
    NEVER,
  );
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(['$A; exit 1', '/weights/1', 'kept']);
});

test('a command that fails rejects with its exit code', async () => {
  await expect(runRestartCommand({})(node('process.exit(3)'), {}, NEVER)).rejects.toThrow(
    'It ended with exit code 3.',
  );
});

test('a command that does not exist rejects with its name', async () => {
  const run = runRestartCommand({})({ command: 'no-such-program-here' }, {}, NEVER);
  await expect(run).rejects.toThrow(/no-such-program-here/);
});

test('a signal ends the command, and its reason is the error', async () => {
  const stop = new AbortController();
  const run = runRestartCommand({})(node('setInterval(() => undefined, 1000)'), {}, stop.signal);
  stop.abort(new Error('The agent was closed.'));
  await expect(run).rejects.toThrow('The agent was closed.');
});
