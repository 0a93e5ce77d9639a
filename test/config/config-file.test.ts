// Reading dartboard.json, and the errors for an invalid one.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { closestName } from '../../runtime/config/closest-name.ts';
import { resolve } from '../../runtime/config/config.ts';
import { readConfig, settingsFromText } from '../../runtime/config/config-file.ts';
import { ConfigError } from '../../runtime/config/settings.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dartboard-config-'));
});
afterEach(() => rm(folder, { recursive: true }));

const refused = (text: string): string => {
  try {
    settingsFromText(text, 'dartboard.json');
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'accepted';
};

test('a missing file has no settings; an unreadable one is an error', async () => {
  expect((await readConfig(join(folder, 'dartboard.json'))).leaves).toEqual([]);
  await expect(readConfig(folder)).rejects.toThrow(`'${folder}' cannot be read`);
});

test('a file with a byte order mark is read', async () => {
  const path = join(folder, 'dartboard.json');
  await writeFile(path, '\uFEFF{ "$schema": "./x.json", "minutes": 3 }');
  expect((await readConfig(path)).leaves).toEqual([{ path: ['minutes'], value: 3 }]);
});

describe('an invalid setting is reported with its position, its value and the allowed values', () => {
  test.each([
    ['{ "minutes": 5,, }', "dartboard.json:1:16: Expected a key in double quotes, found ','."],
    ['{ "minutes": 0 }', 'dartboard.json:1:3: minutes must be a number above 0 and up to 10080, but is 0.'],
    [
      '{ "minutes": "5" }',
      'dartboard.json:1:3: minutes must be a number above 0 and up to 10080, but is "5".',
    ],
    [
      '{ "data": { "rollouts": 2.5 } }',
      'dartboard.json:1:13: data.rollouts must be an integer from 2 to 256, but is 2.5.',
    ],
    [
      '{ "mode": "pixels" }',
      'dartboard.json:1:3: mode must be one of screenshot, a11y_tree, screenshot_a11y_tree, but is "pixels".',
    ],
    [
      '{ "suite": { "tiers": [5] } }',
      'dartboard.json:1:24: suite.tiers[0] must be one of 1, 2, 3, 4, but is 5.',
    ],
    [
      '{ "suite": { "tiers": 1 } }',
      'dartboard.json:1:14: suite.tiers must be a non-empty list without duplicates, each item one of 1, 2, 3, 4, but is 1.',
    ],
    [
      '{ "trainer": { "objective": { "dualClip": 0.5 } } }',
      'trainer.objective.dualClip must be 0, or a number from 1 to 1000, but is 0.5.',
    ],
    [
      '{ "environments": { "guest": { "hosts": [{ "address": "192.168.7.2:5000" }] } } }',
      'address must be an address such as http://192.168.7.2:5000, but is "192.168.7.2:5000".',
    ],
    [
      '{ "seed": " " }',
      'dartboard.json:1:3: seed must be a string of 1 to 100 characters on one line, not blank, but is " ".',
    ],
    [
      '{ "curation": { "highEntropy": 1 } }',
      'dartboard.json:1:17: curation.highEntropy must be true or false, but is 1.',
    ],
    [
      '{ "curation": "grpo" }',
      /^dartboard\.json:1:3: curation must be an object with preset, successPool, .*, but is "grpo"\.$/,
    ],
    [
      '{ "curation": { "preset": "none" } }',
      /curation\.preset must be one of dart, grpo, no-success-pool, .*, but is "none"\.$/,
    ],
    ['[]', /^dartboard\.json:1:1: The file must be an object with .*, but is \[\]\.$/],
    [
      '{ "trainer": 1 }',
      /^dartboard\.json:1:3: trainer must be an object with learningRate, .*, but is 1\.$/,
    ],
    [
      '{ "minutes": null }',
      'dartboard.json:1:3: minutes must be a number above 0 and up to 10080, but is null.',
    ],
    ['{ "agents": { "": true } }', 'agents."" must be an object with profile, mode,'],
  ])('%s', (text, message) => {
    expect(refused(text)).toMatch(message);
  });

  test.each([
    [
      '{\n  "minuts": 5\n}',
      "dartboard.json:2:3: The setting 'minuts' does not exist. Did you mean 'minutes'?",
    ],
    [
      '{ "rollout": { "worker": 2 } }',
      "The setting 'rollout.worker' does not exist. Did you mean 'rollout.workers'?",
    ],
    ['{ "trainer": { "learning_rate": 1 } }', "Did you mean 'trainer.learningRate'?"],
    ['{ "trainer": { "highEntropy": true } }', "Did you mean 'curation.highEntropy'?"],
    ['{ "desktops": 4 }', "The setting 'desktops' does not exist. Did you mean 'environments.desktops'?"],
    ['{ "trainer": { "clipLow": 0.1 } }', "Did you mean 'trainer.objective.clipLow'?"],
    [
      '{ "suite": { "colour": 1 } }',
      "The setting 'suite.colour' does not exist. Remove it, or use one of the settings of 'suite': tiers, tasks, files, phrasings.",
    ],
    ['{ "__proto__": { "minutes": 5 } }', "The setting '__proto__' does not exist."],
  ])('%s is a key that is not there, and the likely one is named', (text, message) => {
    expect(refused(text)).toContain(message);
  });

  test('all problems at once', () => {
    expect(refused('{ "minuts": 5, "mode": "x", "data": { "rollouts": 1 } }').split('\n')).toHaveLength(3);
  });
});

test('the closest name is suggested when few of its characters differ', () => {
  expect(closestName('patience', ['patienceMs', 'batch'])).toBe('patienceMs');
  expect(closestName('minuets', ['mode', 'minutes'])).toBe('minutes');
  expect(closestName('zzz', ['minutes', 'mode'])).toBeUndefined();
});

test('300,000 unknown settings are rejected in linear time, and the first of them are named', () => {
  const keys = Array.from({ length: 300_000 }, (_, index) => `"setting${index}": 1`);
  const lines = refused(`{ ${keys.join(', ')} }`).split('\n');
  expect(lines[0]).toContain("The setting 'setting0' does not exist");
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toContain('299980 more');
});

test('a value that is nested too deeply is rejected', () => {
  expect(refused(`{ "suite": ${'['.repeat(200_000)}`)).toContain('nested more than 100 levels deep');
});

test.each(['{ "suite": { "tasks": ["ID"] } }', '{ "suite": { "files": "ID" } }'])(
  'a text of more than 1000 characters is rejected: %s',
  text => {
    expect(refused(text.replace('ID', 'a'.repeat(1001)))).toContain('dartboard.json:1:');
  },
);

describe('a file of an earlier version of Dartboard', () => {
  const read = (text: string) => resolve(settingsFromText(text, 'dartboard.json'));

  test('keeps its pace and its staleness bound, with a notice for each replaced setting', () => {
    const { config, notices } = read('{ "data": { "stalenessVersions": 2,\n"trajectoriesPerVersion": 8 } }');
    expect(config.data).toMatchObject({
      ...{ stalenessUpdates: 250, trajectoriesPerBatch: 8, trajectoriesAhead: 24 },
    });
    expect(notices).toHaveLength(2);
    expect(notices[0]).toMatch(
      /^dartboard\.json:1:13: .*'data\.stalenessVersions'.*'data\.stalenessUpdates': 250/,
    );
    expect(notices[1]).toMatch(/^dartboard\.json:2:1: .*'data\.trajectoriesPerVersion'/);
  });

  test('with the old defaults gives the new defaults', () => {
    for (const kind of ['pocket', 'docker']) {
      const now = read(JSON.stringify({ environments: { kind } })).config;
      const then = { environments: { kind }, data: { stalenessVersions: 4, trajectoriesPerVersion: 32 } };
      expect(read(JSON.stringify(then)).config).toEqual(now);
    }
  });

  test('with an invalid old value is rejected', () => {
    expect(refused('{ "data": { "stalenessVersions": "4" } }')).toContain("'data.stalenessVersions'");
  });

  test('loses against new settings beside it', () => {
    const both = '{ "data": { "stalenessVersions": 2, "stalenessUpdates": 7 } }';
    expect(read(both).config.data.stalenessUpdates).toBe(7);
  });
});

test('a file without end is rejected before it is parsed', () => {
  expect(refused(`{"seed": "${'x'.repeat(2 ** 23)}"}`)).toMatch(/characters, the limit is/);
});
