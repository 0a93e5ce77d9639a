// dartboard.json as it is on disk, and what is said of one that is not right.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { distance, likely } from '../../runtime/config/closest-name.ts';
import { configIn, readConfig } from '../../runtime/config/config-file.ts';
import { ConfigError, NOTHING_GIVEN } from '../../runtime/config/settings.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dartboard-config-'));
});
afterEach(() => rm(folder, { recursive: true }));

const refused = (text: string): string => {
  try {
    configIn(text, 'dartboard.json');
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'accepted';
};

test('a missing file says nothing, and one that cannot be read is an error', async () => {
  expect(await readConfig(join(folder, 'dartboard.json'))).toBe(NOTHING_GIVEN);
  await expect(readConfig(folder)).rejects.toThrow(`${folder} cannot be read`);
});

test('a file is read, with the mark that some editors put in front', async () => {
  const path = join(folder, 'dartboard.json');
  await writeFile(path, '\uFEFF{ "$schema": "./x.json", "minutes": 3 }');
  expect((await readConfig(path)).leaves).toEqual([{ path: ['minutes'], value: 3 }]);
});

describe('what is not right is said with its place, what was said, and what is allowed', () => {
  test.each([
    ['{ "minutes": 5,, }', "dartboard.json:1:16: Here stands ',', where a key in double quotes should."],
    ['{ "minutes": 0 }', 'dartboard.json:1:3: minutes takes a number above 0 and up to 10080, not 0.'],
    ['{ "minutes": "5" }', 'dartboard.json:1:3: minutes takes a number above 0 and up to 10080, not "5".'],
    [
      '{ "data": { "rollouts": 2.5 } }',
      'dartboard.json:1:13: data.rollouts takes a whole number from 2 to 256, not 2.5.',
    ],
    [
      '{ "mode": "pixels" }',
      'dartboard.json:1:3: mode takes one of screenshot, a11y_tree, screenshot_a11y_tree, not "pixels".',
    ],
    ['{ "suite": { "tiers": [5] } }', 'dartboard.json:1:24: suite.tiers[0] takes one of 1, 2, 3, 4, not 5.'],
    [
      '{ "suite": { "tiers": 1 } }',
      'dartboard.json:1:14: suite.tiers takes a list, each in it once and one of 1, 2, 3, 4, not 1.',
    ],
    [
      '{ "seed": " " }',
      'dartboard.json:1:3: seed takes a text of 1 to 100 characters on one line, not blank, not " ".',
    ],
    [
      '{ "curation": { "highEntropy": 1 } }',
      'dartboard.json:1:17: curation.highEntropy takes true or false, not 1.',
    ],
    [
      '{ "curation": "grpo" }',
      /^dartboard\.json:1:3: curation takes settings in \{ \}: preset, successPool, .*, not "grpo"\.$/,
    ],
    [
      '{ "curation": { "preset": "none" } }',
      /curation\.preset takes one of dart, grpo, no-success-pool, .*, not "none"\.$/,
    ],
    ['[]', /^dartboard\.json:1:1: The file takes settings in \{ \}: .*, not \[\]\.$/],
    ['{ "trainer": 1 }', /^dartboard\.json:1:3: trainer takes settings in \{ \}: learningRate, .*, not 1\.$/],
    ['{ "minutes": null }', 'dartboard.json:1:3: minutes takes a number above 0 and up to 10080, not null.'],
  ])('%s', (text, message) => {
    expect(refused(text)).toMatch(message);
  });

  test.each([
    ['{\n  "minuts": 5\n}', "dartboard.json:2:3: There is no setting 'minuts'. 'minutes' is likely meant."],
    [
      '{ "rollout": { "worker": 2 } }',
      "There is no setting 'rollout.worker'. 'rollout.workers' is likely meant.",
    ],
    ['{ "trainer": { "learning_rate": 1 } }', "'trainer.learningRate' is likely meant."],
    ['{ "trainer": { "highEntropy": true } }', "'curation.highEntropy' is likely meant."],
    ['{ "desktops": 4 }', "There is no setting 'desktops'. 'environments.desktops' is likely meant."],
    ['{ "trainer": { "clipLow": 0.1 } }', "'trainer.objective.clipLow' is likely meant."],
    [
      '{ "suite": { "colour": 1 } }',
      "There is no setting 'suite.colour'. Known in 'suite' are tiers, tasks, files.",
    ],
    ['{ "__proto__": { "minutes": 5 } }', "There is no setting '__proto__'."],
  ])('%s is a key that is not there, and the likely one is named', (text, message) => {
    expect(refused(text)).toContain(message);
  });

  test('all of it at once', () => {
    expect(refused('{ "minuts": 5, "mode": "x", "data": { "rollouts": 1 } }').split('\n')).toHaveLength(3);
  });
});

test('a name is likely meant when few of its letters differ', () => {
  expect(distance('minutes', 'minuets')).toBe(1);
  expect(distance('', 'abc')).toBe(3);
  expect(distance('kitten', 'sitting')).toBe(3);
  expect(likely('patience', ['patienceMs', 'batch'])).toBe('patienceMs');
  expect(likely('zzz', ['minutes', 'mode'])).toBeUndefined();
});
