// What is measured on is told as it is.

import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { theseVersions, thisBuild, thisMachine } from '../../../runtime/bench/results/here.ts';
import { temporaryFolder } from '../../temporary.ts';

test('a build is told by its bundles, all of them, and by nothing else', () => {
  const folder = temporaryFolder('build');
  const url = pathToFileURL(`${folder}/`);
  writeFileSync(join(folder, 'bench.js'), 'one');
  const first = thisBuild(url);
  writeFileSync(join(folder, 'bench.js.map'), 'beside');
  expect(thisBuild(url)).toBe(first);
  writeFileSync(join(folder, 'worker.js'), 'two');
  expect(thisBuild(url)).not.toBe(first);
});

test('machine and versions are known', () => {
  expect(thisMachine()).toMatchObject({
    cores: cpus().length,
    os: expect.stringMatching(/^\w+ [\d.]+ \w+$/),
  });
  expect(theseVersions()).toEqual({
    node: process.version,
    'onnxruntime-node': expect.stringMatching(/^\d+\.\d+\.\d+/),
  });
});
