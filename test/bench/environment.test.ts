// The machine, the versions and the build in an outcome.

import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { theseVersions, thisBuild, thisMachine } from '../../runtime/bench/environment.ts';
import { temporaryFolder } from '../temporary.ts';

test('the build hash covers all bundles and no other files', () => {
  const folder = temporaryFolder('build');
  const url = pathToFileURL(`${folder}/`);
  writeFileSync(join(folder, 'bench.js'), 'one');
  const first = thisBuild(url);
  writeFileSync(join(folder, 'bench.js.map'), 'beside');
  expect(thisBuild(url)).toBe(first);
  writeFileSync(join(folder, 'worker.js'), 'two');
  expect(thisBuild(url)).not.toBe(first);
});

test('machine and versions are recorded', () => {
  expect(thisMachine()).toMatchObject({
    cores: cpus().length,
    os: expect.stringMatching(/^\w+ [\d.]+ \w+$/),
  });
  expect(theseVersions()).toEqual({
    node: process.version,
    'onnxruntime-node': expect.stringMatching(/^\d+\.\d+\.\d+/),
  });
});
