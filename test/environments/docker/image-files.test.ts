// The progress of a build, read from the engine's log, and the end of a load that fails.

import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { DockerHost } from '../../../runtime/environments/docker/host.ts';
import { buildStep, followProgress, loadImage } from '../../../runtime/environments/docker/image-files.ts';
import { PATIENCE } from '../../patience.ts';
import { temporaryFolder } from '../../temporary.ts';

const logOf = (...lines: readonly object[]): string =>
  lines.map(line => `${JSON.stringify(line)}\r\n`).join('');

async function stepsOf(pieces: readonly string[]): Promise<readonly string[]> {
  const steps: string[] = [];
  await followProgress(
    Readable.from(pieces.map(piece => Buffer.from(piece))),
    'build x',
    'engine here',
    step => steps.push(step),
  );
  return steps;
}

const BUILD = logOf(
  { stream: 'Step 1/2 : FROM debian:bookworm-slim\n' },
  { stream: ' ---> af1360620790\n' },
  { status: 'Pulling' },
  { stream: 'Step 2/2 : RUN apt-get update  && echo ünï\n' },
  { aux: { ID: 'sha256:1' } },
);

test('build steps are reported from pieces of any size', async () => {
  const steps = ['step 1 of 2: FROM debian:bookworm-slim', 'step 2 of 2: apt-get update && echo ünï'];
  const cuts = fc.array(fc.nat(BUILD.length), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(cuts, async places => {
      const at = [0, ...places.sort((one, other) => one - other), BUILD.length];
      const pieces = at.slice(1).map((end, index) => BUILD.slice(at[index], end));
      expect(await stepsOf(pieces)).toEqual(steps);
    }),
  );
});

test('an error names the image and contains the last lines of the log', async () => {
  const failing = logOf({ stream: 'E: no such package\n' }, { error: 'returned a non-zero code: 100' });
  await expect(stepsOf([failing])).rejects.toMatchObject({
    failure: {
      boundary: 'provider',
      thing: 'engine here',
      message: expect.stringMatching(/^build x: .*code: 100\n.*E: no such package$/),
    },
  });
});

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test.skipIf(process.platform === 'win32')('a failed load ends the program that decompresses', async () => {
  const folder = temporaryFolder('images');
  const file = join(folder, 'small.tar.zst');
  const program = join(folder, 'zstd');
  const pid = join(folder, 'pid');
  writeFileSync(program, `#!/bin/sh\necho $$ >'${pid}'\nexec cat\n`);
  chmodSync(program, 0o755);
  // More than the pipes hold: the program waits for a reader.
  writeFileSync(file, Buffer.alloc(8 << 20));
  vi.stubEnv('PATH', `${folder}:${process.env['PATH']}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const host: Partial<DockerHost> = {
    name: 'here',
    load: async tar => {
      await once(tar, 'readable');
      throw new Error('no engine answers');
    },
  };
  await expect(loadImage(host as DockerHost, file)).rejects.toThrow('no engine answers');
  await expect.poll(() => isRunning(Number(readFileSync(pid, 'utf8'))), PATIENCE).toBe(false);
});

test('long commands are cut, and other lines are no steps', () => {
  expect(buildStep(`Step 3/9 : RUN ${'x'.repeat(100)}`)).toBe(`step 3 of 9: ${'x'.repeat(59)}…`);
  expect(buildStep(' ---> Using cache')).toBeUndefined();
});
