// The real receiver as a program, with a command line that prints its environment.

import { execFile } from 'node:child_process';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { handOver } from '../../../extension/keys/hand-over.ts';
import type { HandOverAddress } from '../../../extension/keys/variable.ts';
import { receivingKeys } from '../../../extension/program.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { bundled } from '../../bundle-entry.ts';

const KEY = 'sk-=a b"%$1';
/** Texts of the user can contain line separators. */
const SETTINGS = 'a\u2028B=b\u2029C=c';
const VALUES = { DARTBOARD_SECRET_A: KEY, DARTBOARD_SECRET_B: '=', SETTINGS };
const WITHOUT_CLOCK = { platform: process.platform, clock: systemClock };

let folder: string;
beforeAll(async () => {
  const entry = fileURLToPath(await bundled(new URL('../../../extension/keys/receive.ts', import.meta.url)));
  folder = dirname(entry);
  renameSync(entry, join(folder, 'with-keys.js'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(
    join(folder, 'main.js'),
    'process.stdout.write(JSON.stringify({ args: process.argv.slice(2), env: process.env }));',
  );
});

function run(address: HandOverAddress) {
  const line = { file: process.execPath, args: [join(folder, 'main.js'), 'eval', '--json'], env: {} };
  const program = receivingKeys({ ...line, cwd: folder, shell: undefined }, address);
  return new Promise<{ code: unknown; stdout: string; stderr: string; program: typeof program }>(resolve =>
    execFile(program.file, [...program.args], { env: { ...program.env } }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr, program }),
    ),
  );
}

test('a program gets the keys, its arguments, and no address of them', async () => {
  const { address, over } = await handOver(VALUES, WITHOUT_CLOCK);
  const { stdout, stderr, code } = await run(address);
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toEqual({ args: ['eval', '--json'], env: VALUES });
  await over;
});

test('the keys are in no argument and no variable of the terminal', async () => {
  const { address, over } = await handOver(VALUES, WITHOUT_CLOCK);
  const { program } = await run(address);
  expect(JSON.stringify(program)).not.toContain('sk-');
  await over;
});

test('an address works once, and leaves no file', async () => {
  const { address, over } = await handOver(VALUES, WITHOUT_CLOCK);
  await run(address);
  await over;
  const again = await run(address);
  expect(again.code).toBe(1);
  expect(again.stdout).toBe('');
  expect(again.stderr).toMatch(/did not hand over the API key: .* Run the command again/);
  if (process.platform !== 'win32') expect(existsSync(dirname(address.path))).toBe(false);
});

test('a program without the token gets nothing, and the next one with it does', async () => {
  const { address, over } = await handOver(VALUES, WITHOUT_CLOCK);
  const token = '0'.repeat(address.token.length);
  const stranger = await run({ ...address, token });
  expect(stranger.stderr).toContain('not valid any more');
  expect((await run(address)).code).toBe(0);
  await over;
});

test('an address that no program uses expires', async () => {
  const clock = new VirtualClock();
  const { address, over } = await handOver(VALUES, { platform: process.platform, clock });
  await clock.run();
  await over;
  expect((await run(address)).code).toBe(1);
});
