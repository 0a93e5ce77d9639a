// The progress of a build, read from the engine's log.

import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildStep, followProgress } from '../../../runtime/environments/docker/image-files.ts';

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

test('long commands are cut, and other lines are no steps', () => {
  expect(buildStep(`Step 3/9 : RUN ${'x'.repeat(100)}`)).toBe(`step 3 of 9: ${'x'.repeat(59)}…`);
  expect(buildStep(' ---> Using cache')).toBeUndefined();
});
