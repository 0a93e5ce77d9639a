// `dartboard model clone` as a user runs it: a few seconds of cloning, Ctrl-C, and the server of the weights. Needs the bundles that
// `npm test` builds first.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { decodeMicro } from '../../runtime/agents/micro/weights-file.ts';
import { servePolicy } from '../interop/served-policy.ts';
import { PATIENCE } from '../patience.ts';
import { temporaryFolder } from '../temporary.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

function clone(folder: string, ...args: readonly string[]) {
  const program = spawn(process.execPath, [MAIN, 'model', 'clone', ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void program.kill('SIGKILL'));
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    program[stream].setEncoding('utf8').on('data', text => {
      said[stream] += text;
    });
  return { program, said, ended: once(program, 'close') };
}

const weightsIn = (folder: string, name: string) => decodeMicro(readFileSync(join(folder, name)), name);

test('three seconds of cloning make weights that a server offers', async () => {
  const folder = temporaryFolder('clone');
  const { said, ended } = clone(folder, '--to', 'small.safetensors', '--minutes', '0.05', '--seed', 'a test');
  expect(await ended).toEqual([0, null]);
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

test('Ctrl-C ends it early and keeps the weights so far', async () => {
  const folder = temporaryFolder('clone');
  const { program, said, ended } = clone(folder, '--minutes', '60');
  await vi.waitUntil(() => said.stdout.includes('nats per reply token'), PATIENCE);
  program.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
  expect(said.stderr).toBe('');
  expect(said.stdout).toMatch(/Stopped early\. \d+\.\d of 60 min/);
  expect(weightsIn(folder, 'micro.safetensors').version).toBeGreaterThan(0);
});
