// The Docker suite without a desktop: instances are complete, splits are disjoint, and a policy can express the solutions. solved.test.ts
// plays the solutions on real desktops.

import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { copyOf } from '../../../../runtime/agents/compact/act.ts';
import { chordNumber } from '../../../../runtime/agents/compact/chords.ts';
import { tokensOf } from '../../../../runtime/agents/compact/tokens.ts';
import type { Seed } from '../../../../runtime/core/ids.ts';
import { key } from '../../../../runtime/core/key.ts';
import { isInfeasible, stepLimit } from '../../../../runtime/core/task.ts';
import { DOCKER, dockerSuiteOf } from '../../../../runtime/environments/docker/tasks/suite.ts';
import SHARED_VALUES from '../../../../runtime/environments/docker/tasks/values.json';
import { trainingSeeds } from '../../../../runtime/environments/suite.ts';
import type { SolutionScript } from '../../../../runtime/environments/template/solution.ts';

const ids = DOCKER.templates.map(({ id }) => id);
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

test('there are at least sixteen tasks, with tiers 1 to 3 and unseen ones', () => {
  expect(ids.length).toBeGreaterThanOrEqual(16);
  for (const tier of [1, 2, 3] as const) expect(DOCKER.tasks('train', tier).length).toBeGreaterThan(2);
  expect(DOCKER.tasks('unseen').length).toBeGreaterThan(1);
  expect(DOCKER.tasks('train').filter(id => DOCKER.tasks('unseen').includes(id))).toEqual([]);
});

test('the id of a task is the name of its file', () => {
  for (const { id, file } of DOCKER.templates) expect(file).toBe(`${id}.json`);
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
  const values = Object.values(SHARED_VALUES).flatMap(({ train, test }) => [...train, ...test]);
  expect(values.length).toBeGreaterThan(100);
  expect(values.filter((value, index) => values.indexOf(value) < index)).toEqual([]);
});

// galculator drops a key that is pressed again within 250 ms.
test.each(['calculator-in-turn', 'calculator-to-note', 'calculator-work-out', 'number-enter'])(
  '%s never asks for a digit twice',
  id => {
    for (const seed of all) {
      const typed = DOCKER.made(id, seed).solution.flatMap(([kind, text]) =>
        kind === 'type' ? [...text] : [],
      );
      expect(new Set(typed).size, typed.join('')).toBe(typed.length);
    }
  },
);

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
      const task = DOCKER.task(id, seed);
      expect(task).toEqual(DOCKER.task(id, seed));
      expect(JSON.stringify([task.instruction, task.config, task.evaluator])).not.toMatch(/\{\w+(\.\w+)*\}/);
    }
  });

  test('has several phrasings, and no test equals a training instance', () => {
    const keyOf = (seed: Seed) => {
      const { instruction, config } = DOCKER.task(id, seed);
      return JSON.stringify([instruction, config]);
    };
    const trained = new Set(trainingSeeds(DOCKER).map(keyOf));
    expect(trained.size).toBeGreaterThan(2);
    expect(tests.filter(seed => trained.has(keyOf(seed)))).toEqual([]);
  });

  test('test values differ from training values', async () => {
    const file = new URL(`../../../../runtime/environments/docker/tasks/${id}.json`, import.meta.url);
    const { vary, vary_test: varyTest = {} } = JSON.parse(await readFile(file, 'utf8')).dartboard;
    const shared = Object.values<object>(vary).filter(values => 'of' in values);
    expect(Object.keys(varyTest).length + shared.length).toBeGreaterThan(0);
    for (const [name, values] of Object.entries<unknown[]>(varyTest))
      expect(values.filter(value => vary[name].includes(value))).toEqual([]);
  });

  test('a policy can express its solution in half of the allowed steps', () => {
    for (const seed of all) {
      const task = DOCKER.task(id, seed);
      const { solution } = DOCKER.made(id, seed);
      for (const step of solution) {
        if (step[0] === 'type')
          expect(canCopy(task.instruction, step[1]), `${task.instruction}: ${step}`).toBe(true);
        if (step[0] !== 'keys') continue;
        const [, first, ...others] = step;
        expect(chordNumber([key(first), ...others.map(key)]), `${step}`).toBeDefined();
      }
      expect(2 * solution.length).toBeLessThanOrEqual(stepLimit(task));
    }
  });

  test('has near misses that differ from the solution', () => {
    const { solution, misses } = DOCKER.made(id, DOCKER.seed('train', 0));
    const others: readonly SolutionScript[] = Object.values(misses);
    expect(others.length).toBeGreaterThan(0);
    for (const other of others) expect(other).not.toEqual(solution);
  });

  test('its script fails exactly if the task is infeasible', () => {
    const seed = DOCKER.seed('train', 0);
    const ends = DOCKER.made(id, seed).solution.map(([kind]) => kind);
    expect(ends.includes('fail')).toBe(isInfeasible(DOCKER.task(id, seed)));
  });
});
