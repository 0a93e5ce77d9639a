// Laws of naming what was done: a template's solution is named by the template's own words, what is nearly
// right is not, and what is never trained has no name.

import { describe, expect, test } from 'vitest';
import { seed } from '../../../../runtime/core/ids.ts';
import { seeded } from '../../../../runtime/core/rng.ts';
import { isInfeasible } from '../../../../runtime/core/task.ts';
import { randomAction } from '../../../../runtime/environments/pocket/random-agent.ts';
import { SCREEN } from '../../../../runtime/environments/pocket/start.ts';
import {
  asksFor,
  outcomeOf,
  type WorldOutcome,
} from '../../../../runtime/environments/pocket/tasks/outcomes.ts';
import { POCKET } from '../../../../runtime/environments/pocket/tasks/suite.ts';
import { TRAIN_SEEDS } from '../../../../runtime/environments/suite.ts';
import { deedIn, taskOf } from './outcomes/episode.ts';

const SEEDS = [0, 1, 2, 3, 1000, 1001, 1002, 1003];

/** A template of the second tier may lack a deed, but none loses its deed unnoticed. */
const TIER_2 = [
  'settings-alert-sound',
  'settings-language',
  'settings-device-name',
  'settings-network',
  'files-rename',
  'files-copy',
  'files-delete-by-size',
  'files-empty-trash',
  'notes-write',
  'notes-add-line',
  'notes-rewrite',
  'mail-move',
  'mail-draft',
  'contacts-add',
  'contacts-phone',
  'contacts-delete',
  'contacts-from-mail',
  'calendar-move',
  'calendar-delete',
  'calendar-rename',
  'calculator-chain',
  'calculator-percent',
  'calculator-memory',
];
const feasible = POCKET.templates.filter(({ id }) => !isInfeasible(POCKET.task(id, seed(0))));
const trained = feasible.filter(template => template.unseen !== true);
const TIER_1 = trained.filter(({ tier }) => tier === 1).map(({ id }) => id);

describe.each([...TIER_1, ...TIER_2])('the solution of %s', id => {
  test.each(SEEDS)('is named by its own instruction, instance %i', number => {
    const { instruction, solve } = POCKET.instance(id, number);
    expect(deedIn(taskOf(id, number), solve)?.ways).toContain(instruction);
  });

  test('is of a kind that it asks for, on every training instance', () => {
    for (let number = 0; number < TRAIN_SEEDS; number++) {
      const deed = deedIn(taskOf(id, number), POCKET.instance(id, number).solve);
      expect(deed).toSatisfy((each: WorldOutcome) => asksFor(id, each.kind));
    }
  });
});

test('every template that has a deed is listed here', () => {
  const withDeed = trained.filter(({ id }) =>
    SEEDS.every(number => {
      const { instruction, solve } = POCKET.instance(id, number);
      return deedIn(taskOf(id, number), solve)?.ways.includes(instruction);
    }),
  );
  expect(withDeed.map(({ id }) => id).sort()).toEqual([...TIER_1, ...TIER_2].sort());
});

test('a template does not ask for a kind of deed because its name begins alike', () => {
  expect(asksFor('mail-read-all', 'mail-read-all')).toBe(true);
  expect(asksFor('mail-read-all', 'mail-read')).toBe(false);
  expect(asksFor('mail-read', 'mail-read-all')).toBe(false);
});

test.each(POCKET.templates.map(({ id }) => id))('near misses of %s are not named by its words', id => {
  for (const number of SEEDS) {
    const { instruction, misses } = POCKET.instance(id, number);
    for (const [name, miss] of Object.entries(misses)) {
      const ways = deedIn(taskOf(id, number), miss)?.ways ?? [];
      expect(ways, `${instruction} Missed by: ${name}`).not.toContain(instruction);
    }
  }
});

const UNSEEN = [
  'mail-unstar',
  'mail-rescue',
  'mail-send-two',
  'files-restore',
  'calendar-postpone',
  'notes-merge',
];

test.each(UNSEEN)('what %s asks for has no name, since it is never trained', id => {
  expect(POCKET.template(id).unseen).toBe(true);
  for (const number of SEEDS)
    expect(deedIn(taskOf(id, number), POCKET.instance(id, number).solve)).toBeUndefined();
});

test.each(POCKET.tasks('unseen'))('the words of %s are never said', id => {
  for (const number of SEEDS) {
    const { instruction, solve } = POCKET.instance(id, number);
    expect(deedIn(taskOf(id, number), solve)?.ways ?? []).not.toContain(instruction);
  }
});

test('nothing done is no deed', () => {
  for (const { id } of POCKET.templates) expect(deedIn(taskOf(id, 0), () => undefined)).toBeUndefined();
});

test('whatever is done at random, a deed is said in plain ways that differ', () => {
  const kinds = new Set<string>();
  for (const [index, { id }] of POCKET.templates.entries()) {
    const { machine, told } = taskOf(id, index % 32);
    const random = seeded(`deeds/${id}`);
    for (let step = 0; step < 40; step++) {
      machine.perform(randomAction(random, machine.elements(), SCREEN));
      const deed = outcomeOf(told);
      if (deed === undefined) continue;
      kinds.add(deed.kind);
      expect(deed.ways.length).toBeGreaterThan(0);
      expect(new Set(deed.ways).size).toBe(deed.ways.length);
      for (const way of deed.ways) expect(way).toMatch(/^[^\n]{10,220}[.?]$/);
    }
  }
  expect(kinds.size).toBeGreaterThan(5);
});
