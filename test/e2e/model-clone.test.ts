// `dartboard model clone` as a user runs it: a few seconds of cloning, Ctrl-C, and the server of the weights. Needs the bundles that
// `npm test` builds first.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { decodeMicro } from '../../runtime/agents/micro/weights-file.ts';
import { servePolicy } from '../interop/served-policy.ts';
import { PATIENCE } from '../patience.ts';
import { temporaryFolder } from '../temporary.ts';
import { CommandLine, MAIN } from './command-line.ts';

function clone(folder: string, ...args: readonly string[]) {
  const begun = new CommandLine(folder).begin('model', 'clone', ...args);
  onTestFinished(() => void begun.program.kill('SIGKILL'));
  return begun;
}

const weightsIn = (folder: string, name: string) => decodeMicro(readFileSync(join(folder, name)), name);

test('three seconds of cloning make weights that a server offers', async () => {
  const folder = temporaryFolder('clone');
  const { said, ended } = clone(folder, '--to', 'small.safetensors', '--minutes', '0.05', '--seed', 'a test');
  expect(await ended).toMatchObject({ status: 0 });
  expect(said.stderr).toBe('');
  expect(said.stdout).toMatch(
    /Done\. 0\.\d of 0\.05 min · [\d,]+ examples · \d+\.\d{3} nats per reply token\./,
  );
  expect(said.stdout).toMatch(/model serve --weights small\.safetensors/);
  expect(weightsIn(folder, 'small.safetensors').version).toBeGreaterThan(0);
  const served = await servePolicy({ weights: readFileSync(join(folder, 'small.safetensors')) });
  const response = await fetch(`${served.url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${served.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ model: 'micro', max_tokens: 4, messages: [{ role: 'user', content: 'Task: Mute.' }] },
    }),
  });
  expect(await response.json()).toMatchObject({ model: 'micro', usage: { completion_tokens: 4 } });
  expect(await served.stop()).toBe(0);
});

test('a disk that is too small keeps no part of the weights, and the error says what to do', async () => {
  const folder = temporaryFolder('clone');
  // Files of this shell can have four blocks of 512 bytes at most.
  const limited = ['-c', 'ulimit -f 4 && exec "$0" "$@"', process.execPath, MAIN];
  const program = spawn('sh', [...limited, 'model', 'clone', '--minutes', '0.02'], { cwd: folder });
  onTestFinished(() => void program.kill('SIGKILL'));
  let errors = '';
  program.stderr.on('data', text => {
    errors += text;
  });
  program.stdout.resume();
  expect(await once(program, 'close')).toEqual([1, null]);
  expect(errors).toMatch(
    /'micro\.safetensors' of [\d,]+ bytes cannot be written: EFBIG.*\. Free space, or name a file on another disk with --to, and start again\./,
  );
  expect(existsSync(join(folder, 'micro.safetensors'))).toBe(false);
});

test('Ctrl-C ends it early and keeps the weights so far', async () => {
  const folder = temporaryFolder('clone');
  const { program, said, ended } = clone(folder, '--minutes', '60');
  await vi.waitUntil(() => said.stdout.includes('nats per reply token'), PATIENCE);
  program.kill('SIGINT');
  expect(await ended).toMatchObject({ status: 0 });
  expect(said.stderr).toBe('');
  expect(said.stdout).toMatch(/Stopped early\. \d+\.\d of 60 min/);
  expect(weightsIn(folder, 'micro.safetensors').version).toBeGreaterThan(0);
});
