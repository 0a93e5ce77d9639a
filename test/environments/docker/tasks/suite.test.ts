// The Docker suites without a desktop: instances are complete, splits are disjoint, and a policy can express the solutions. solved.test.ts
// plays the solutions on real desktops.

import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { copyOf } from '../../../../runtime/agents/compact/act.ts';
import { chordNumber } from '../../../../runtime/agents/compact/chords.ts';
import { tokensOf } from '../../../../runtime/agents/compact/tokens.ts';
import type { Seed } from '../../../../runtime/core/ids.ts';
import { key } from '../../../../runtime/core/key.ts';
import { isInfeasible, stepLimit } from '../../../../runtime/core/task.ts';
import LARGE_VALUES from '../../../../runtime/environments/docker/tasks/large/values.json';
import {
  DOCKER,
  DOCKER_LARGE,
  dockerSuiteOf,
  suiteOfImage,
} from '../../../../runtime/environments/docker/tasks/suite.ts';
import SHARED_VALUES from '../../../../runtime/environments/docker/tasks/values.json';
import { trainingSeeds } from '../../../../runtime/environments/suite.ts';
import type { SolutionScript } from '../../../../runtime/environments/template/solution.ts';

/** The tasks of the large image contain the others. */
const ids = DOCKER_LARGE.templates.map(({ id }) => id);
const small: ReadonlySet<string> = new Set(DOCKER.templates.map(({ id }) => id));

/** Tasks with keys that the compact policy does not have, in programs without elements of menus. */
const OTHER_KEYS = [
  ...['browser-save-page', 'picture-export', 'picture-flip', 'picture-scale'],
  ...['player-playlist', 'player-playlist-view'],
];
/** Tasks whose solution types what another program shows. */
const READ_FROM_SCREEN = ['mail-to-table', 'page-to-table'];
const tests = Array.from({ length: 32 }, (_, index) => DOCKER.seed('test', index));
const all = [...trainingSeeds(DOCKER), ...tests];

const canCopy = (instruction: string, text: string): boolean =>
  copyOf(tokensOf({ ...NOTHING_SEEN, instruction }), instruction, text) !== undefined;

const NOTHING_SEEN = {
  mode: 'a11y_tree',
  size: { width: 320, height: 240 },
  elements: [],
  firstElement: 0,
  patches: [],
  squares: new Uint8Array(0),
  recent: [],
  memory: [],
} as const;

test('the small image has 31 tasks in three tiers, with unseen ones', () => {
  expect(DOCKER.templates).toHaveLength(31);
  for (const tier of [1, 2, 3] as const) expect(DOCKER.tasks('train', tier).length).toBeGreaterThan(2);
  expect(DOCKER.tasks('unseen').length).toBeGreaterThan(1);
  expect(DOCKER.tasks('train').filter(id => DOCKER.tasks('unseen').includes(id))).toEqual([]);
});

test('the large image has these and more, 60 or more in four tiers', () => {
  expect(ids.length).toBeGreaterThanOrEqual(60);
  expect(DOCKER.templates.filter(({ id }) => !ids.includes(id))).toEqual([]);
  for (const tier of [1, 2, 3, 4] as const)
    expect(DOCKER_LARGE.tasks('train', tier).length).toBeGreaterThan(4);
});

test('the suite of a run depends on its image', () => {
  expect(['small', 'large', 'dartboard-large:1f00c0ffee12', 'mine:1'].map(suiteOfImage)).toEqual([
    ...[DOCKER, DOCKER_LARGE, DOCKER_LARGE, DOCKER],
  ]);
});

test('tasks of tier 4 use several applications and take eight to fifteen steps', () => {
  for (const id of DOCKER_LARGE.tasks('train', 4)) {
    expect(DOCKER_LARGE.template(id).apps.length, id).toBeGreaterThan(1);
    const { length } = DOCKER_LARGE.made(id, DOCKER_LARGE.seed('train', 0)).solution;
    expect(length, id).toBeGreaterThanOrEqual(8);
    expect(length, id).toBeLessThanOrEqual(15);
  }
});

test('the id of a task is the name of its file', () => {
  for (const { id, file } of DOCKER_LARGE.templates) expect(file).toBe(`${id}.json`);
});

test('a duplicate id is an error with both files', () => {
  const [first] = DOCKER.templates;
  if (first === undefined) throw new RangeError('The suite is empty.');
  expect(() => dockerSuiteOf([first, { ...first, file: 'mine.json' }])).toThrow(
    `Two tasks have the id '${first.id}', one from ${first.file}, one from mine.json. Change one of the ids.`,
  );
});

test('an unknown task is a RangeError', () => {
  expect(() => DOCKER.task('no-such-task', DOCKER.seed('train', 0))).toThrow(RangeError);
});

test('no shared value is in two lists or in training and tests', () => {
  const values = [SHARED_VALUES, LARGE_VALUES]
    .flatMap(lists => Object.values<{ train: unknown[]; test: unknown[] }>(lists))
    .flatMap(({ train, test }) => [...train, ...test].map(value => JSON.stringify(value)));
  expect(values.length).toBeGreaterThan(100);
  expect(values.filter((value, index) => values.indexOf(value) < index)).toEqual([]);
});

// galculator drops a key that is pressed again within 250 ms.
test.each([
  ...[
    'calculator-in-turn',
    'calculator-to-note',
    'calculator-to-table',
    'calculator-work-out',
    'number-enter',
  ],
])('%s never asks for a digit twice', id => {
  for (const seed of all) {
    const typed = DOCKER_LARGE.made(id, seed).solution.flatMap(([kind, text]) =>
      kind === 'type' ? [...text] : [],
    );
    expect(new Set(typed).size, typed.join('')).toBe(typed.length);
  }
});

// After a deletion the files below move up, and two clicks at one point are a double click.
test('of two deleted files, the lower one is deleted first', () => {
  for (const seed of all) {
    const [first, second] = DOCKER.made('files-delete-two', seed).solution.flatMap(([kind, , name]) =>
      kind === 'click' ? [name] : [],
    );
    expect([first, second].toSorted()).toEqual([second, first]);
  }
});

describe.each(ids)('%s', id => {
  test('a seed gives the same instance, without unfilled names', () => {
    for (const seed of all) {
      const task = DOCKER_LARGE.task(id, seed);
      expect(task).toEqual(DOCKER_LARGE.task(id, seed));
      expect(JSON.stringify([task.instruction, task.config, task.evaluator])).not.toMatch(/\{\w+(\.\w+)*\}/);
    }
  });

  test('has several phrasings, and no test equals a training instance', () => {
    const keyOf = (seed: Seed) => {
      const { instruction, config } = DOCKER_LARGE.task(id, seed);
      return JSON.stringify([instruction, config]);
    };
    const trained = new Set(trainingSeeds(DOCKER_LARGE).map(keyOf));
    expect(trained.size).toBeGreaterThan(2);
    expect(tests.filter(seed => trained.has(keyOf(seed)))).toEqual([]);
  });

  test('test values differ from training values', async () => {
    const folder = `../../../../runtime/environments/docker/tasks/${small.has(id) ? '' : 'large/'}`;
    const file = new URL(`${folder}${id}.json`, import.meta.url);
    const { vary, vary_test: varyTest = {} } = JSON.parse(await readFile(file, 'utf8')).dartboard;
    const shared = Object.values<object>(vary).filter(values => 'of' in values);
    expect(Object.keys(varyTest).length + shared.length).toBeGreaterThan(0);
    for (const [name, values] of Object.entries<unknown[]>(varyTest))
      expect(values.filter(value => vary[name].includes(value))).toEqual([]);
  });

  test('a policy can express its solution in half of the allowed steps', () => {
    for (const seed of all) {
      const task = DOCKER_LARGE.task(id, seed);
      const { solution } = DOCKER_LARGE.made(id, seed);
      for (const step of solution) {
        if (step[0] === 'type' && !READ_FROM_SCREEN.includes(id))
          expect(canCopy(task.instruction, step[1]), `${task.instruction}: ${step}`).toBe(true);
        if (step[0] !== 'keys' || OTHER_KEYS.includes(id)) continue;
        const [, first, ...others] = step;
        expect(chordNumber([key(first), ...others.map(key)]), `${step}`).toBeDefined();
      }
      const steps = solution.filter(([kind]) => kind !== 'until').length;
      expect(2 * steps).toBeLessThanOrEqual(stepLimit(task));
    }
  });

  test('has near misses that differ from the solution', () => {
    const { solution, misses } = DOCKER_LARGE.made(id, DOCKER_LARGE.seed('train', 0));
    const others: readonly SolutionScript[] = Object.values(misses);
    expect(others.length).toBeGreaterThan(0);
    for (const other of others) expect(other).not.toEqual(solution);
  });

  test('its script fails exactly if the task is infeasible', () => {
    const seed = DOCKER_LARGE.seed('train', 0);
    const ends = DOCKER_LARGE.made(id, seed).solution.map(([kind]) => kind);
    expect(ends.includes('fail')).toBe(isInfeasible(DOCKER_LARGE.task(id, seed)));
  });
});
