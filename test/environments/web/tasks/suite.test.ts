// The web suite without a browser: instances are complete, training and tests have different values, and a policy can express the
// solutions. tasks.test.ts plays them on a real web desktop.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { copyOf } from '../../../../runtime/agents/compact/act.ts';
import { chordNumber } from '../../../../runtime/agents/compact/chords.ts';
import { tokensOf } from '../../../../runtime/agents/compact/tokens.ts';
import type { Seed } from '../../../../runtime/core/ids.ts';
import { key } from '../../../../runtime/core/key.ts';
import { isInfeasible, stepLimit } from '../../../../runtime/core/task.ts';
import { DOCKER } from '../../../../runtime/environments/docker/tasks/suite.ts';
import { POCKET } from '../../../../runtime/environments/pocket/tasks/suite.ts';
import { TIERS, trainingSeeds } from '../../../../runtime/environments/suite.ts';
import { pagesFolder } from '../../../../runtime/environments/web/tasks/pages.ts';
import { WEB } from '../../../../runtime/environments/web/tasks/suite.ts';
import SHARED_VALUES from '../../../../runtime/environments/web/tasks/values.json';

const ids = WEB.templates.map(({ id }) => id);
const tests = Array.from({ length: 50 }, (_, index) => WEB.seed('test', index));
const all = [...trainingSeeds(WEB), ...tests];

const taskFolder = new URL('../../../../runtime/environments/web/tasks/', import.meta.url);
const fileOf = async (id: string) => JSON.parse(await readFile(new URL(`${id}.json`, taskFolder), 'utf8'));

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

/** All texts inside a value. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** Values that only arrange others: the places of rows, or which of the names is meant. */
const ARRANGING = ['say', 'order', 'pick', 'case', 'list', 'place', 'topic', 'plan', 'goal', 'by', 'extra'];

/** The policy reads these texts from the page. */
const READ_FROM_PAGE = ['table-lookup'];

test('there are at least twelve tasks in all tiers, an unseen one and an infeasible one', () => {
  expect(ids.length).toBeGreaterThanOrEqual(12);
  for (const tier of TIERS) expect(WEB.tasks('train', tier).length).toBeGreaterThan(1);
  expect(WEB.tasks('unseen')).toEqual(['folder-choose']);
  const impossible = ids.filter(id => isInfeasible(WEB.task(id, WEB.seed('train', 0))));
  expect(impossible).toEqual(['product-missing']);
});

test('the id of a task is the name of its file, and no other kind of desktop has it', () => {
  for (const { id, file } of WEB.templates) expect(file).toBe(`${id}.json`);
  const others = new Set([...POCKET.templates, ...DOCKER.templates].map(({ id }) => id));
  expect(ids.filter(id => others.has(id))).toEqual([]);
});

test('no shared value of the tests occurs in training', () => {
  const trained = new Set(Object.values(SHARED_VALUES).flatMap(({ train }) => textsIn(train)));
  const used = Object.values(SHARED_VALUES).flatMap(({ test }) => textsIn(test));
  expect(used.length).toBeGreaterThan(200);
  // Measurements name the towns of the instance.
  expect(used.filter(text => trained.has(text) && !/^\{towns\.\w\}$/.test(text))).toEqual([]);
});

test('every shared list is used', async () => {
  const files = await Promise.all(ids.map(fileOf));
  const lists = files.flatMap(({ dartboard }) =>
    Object.values<object>(dartboard.vary).flatMap(values => ('of' in values ? [values.of] : [])),
  );
  expect(Object.keys(SHARED_VALUES).filter(name => !lists.includes(name))).toEqual([]);
});

describe.each(ids)('%s', id => {
  test('a seed gives the same instance, without unfilled names', () => {
    for (const seed of all) {
      const task = WEB.task(id, seed);
      expect(WEB.made(id, seed)).toEqual(WEB.made(id, seed));
      expect(JSON.stringify([task.instruction, task.config, task.evaluator])).not.toMatch(/\{\w+(\.\w+)*\}/);
    }
  });

  test('has six phrasings, or four if it is unseen, and no test equals a training instance', async () => {
    const { dartboard } = await fileOf(id);
    expect(new Set(dartboard.vary.say).size).toBeGreaterThanOrEqual(dartboard.split === 'unseen' ? 4 : 6);
    const keyOf = (seed: Seed) => {
      const { instruction, config } = WEB.task(id, seed);
      return JSON.stringify([instruction, config]);
    };
    const trained = new Set(trainingSeeds(WEB).map(keyOf));
    expect(trained.size).toBeGreaterThan(20);
    expect(tests.filter(seed => trained.has(keyOf(seed)))).toEqual([]);
  });

  test('test values differ from training values', async () => {
    const { vary, vary_test: varyTest = {} } = (await fileOf(id)).dartboard;
    const unshared = Object.keys(vary).filter(name => !('of' in vary[name]) && !ARRANGING.includes(name));
    expect(unshared.filter(name => !(name in varyTest))).toEqual([]);
    for (const [name, values] of Object.entries<unknown[]>(varyTest))
      for (const value of values) expect(vary[name]).not.toContainEqual(value);
  });

  test('it opens a page of its own that exists', async () => {
    for (const seed of all) {
      const opened = (WEB.task(id, seed).config ?? []).filter(({ type }) => type === 'open');
      expect(opened).toHaveLength(1);
      const [, page] = /^page:([a-z]+\.html)/.exec(String(opened[0]?.parameters?.['url'])) ?? [];
      expect(await readFile(join(pagesFolder(), page ?? 'none'), 'utf8')).toContain('page.js');
    }
  });

  test('a policy can express its solution in half of the allowed steps', () => {
    for (const seed of all) {
      const task = WEB.task(id, seed);
      const { solution } = WEB.made(id, seed);
      for (const step of solution) {
        if (step[0] === 'type') {
          const isVisible = READ_FROM_PAGE.includes(id) && JSON.stringify(task.config).includes(step[1]);
          expect(isVisible || canCopy(task.instruction, step[1]), `${task.instruction}: ${step}`).toBe(true);
        }
        if (step[0] !== 'keys') continue;
        const [, first, ...others] = step;
        expect(chordNumber([key(first), ...others.map(key)]), `${step}`).toBeDefined();
      }
      expect(2 * solution.length).toBeLessThanOrEqual(stepLimit(task));
    }
  });

  test('has two to five near misses that differ from the solution', () => {
    for (const seed of all) {
      const { solution, misses } = WEB.made(id, seed);
      expect(Object.keys(misses).length).toBeGreaterThanOrEqual(2);
      expect(Object.keys(misses).length).toBeLessThanOrEqual(5);
      for (const miss of Object.values(misses)) expect(miss).not.toEqual(solution);
    }
  });
});
