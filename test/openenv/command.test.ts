// The command `dartboard serve --openenv`.

import { expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { CliContext } from '../../runtime/cli/context.ts';
import { runProgram } from '../../runtime/cli/program.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { contextWithoutProcesses } from '../cli/command-context.ts';
import { expectNamed } from '../named-values.ts';
import { PATIENCE } from '../patience.ts';

const TOKEN = 'a-token-for-the-tests';

function command(environment: CliContext['environment'] = {}) {
  const { context, output, errors } = contextWithoutProcesses();
  const stop = new AbortController();
  const run = (...args: readonly string[]) =>
    runProgram({ ...context, clock: systemClock, environment, stopSignal: () => stop.signal }, [
      'serve',
      ...args,
    ]);
  return { run, output, errors, stop };
}

const addressIn = (text: string): string | undefined => /base URL +(\S+)/.exec(text)?.[1];

test('prints the address and an example, serves until it is stopped, and does not print the token', async () => {
  const { run, output, stop } = command({ DARTBOARD_OPENENV_TOKEN: TOKEN });
  const over = run('--openenv', '--sessions', '2');
  await vi.waitFor(() => expect(addressIn(output.text)).toBeDefined(), PATIENCE);
  const address = addressIn(output.text) ?? '';
  expectNamed(output.text, '2 desktops', address, 'from openenv import GenericEnvClient', address);
  expect(output.text).not.toContain(TOKEN);
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/t\/TOKEN$/);
  const socket = new WebSocket(`${address.replace('http', 'ws').replace(/TOKEN$/, TOKEN)}/ws`);
  const closed = new Promise<number>(resolve => socket.once('close', resolve));
  socket.on('open', () => socket.send('{"type":"reset"}'));
  await new Promise(resolve => socket.once('message', resolve));
  stop.abort();
  expect(await over).toBe(0);
  expect(await closed).toBe(1001);
});

test.each([
  [
    ['--desktops', 'pocket'],
    ['--desktops', '--openenv'],
  ],
  [
    ['--idle-minutes', '5'],
    ['--idle-minutes', '--openenv'],
  ],
  [
    ['--openenv', '--read-only'],
    ['--read-only', '--openenv'],
  ],
  [
    ['--openenv', '--host', '0.0.0.0', '--sessions', '1'],
    ['--host 0.0.0.0', '--token'],
  ],
  [
    ['--openenv', '--host', '203.0.113.7', '--token', TOKEN, '--sessions', '1'],
    ['203.0.113.7', '--host'],
  ],
  [
    ['--openenv', '--token', 'short'],
    ['--token', 'short', '16'],
  ],
  [['--openenv', '--desktops', 'guest'], ['guest']],
])('serve %j fails, and names what is wrong', async (args, named) => {
  const { run, errors, output } = command();
  expect(await run(...args)).toBe(1);
  expectNamed(errors.join('\n'), ...named);
  expect(addressIn(output.text)).toBeUndefined();
});
