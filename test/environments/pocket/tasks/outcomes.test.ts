// Laws of outcomes: an instruction is among the ways of its solution's outcome and not of its near misses', and templates
// that are never trained have no outcome.

import { describe, expect, test } from 'vitest';
import { seed, taskId } from '../../../../runtime/core/ids.ts';
import { seeded } from '../../../../runtime/core/rng.ts';
import { isInfeasible } from '../../../../runtime/core/task.ts';
import { SCREEN, startOf } from '../../../../runtime/environments/pocket/getters.ts';
import { randomAction } from '../../../../runtime/environments/pocket/random-agent.ts';
import {
  asksFor,
  outcomeOf,
  type WorldOutcome,
} from '../../../../runtime/environments/pocket/tasks/outcomes.ts';
import { steps } from '../../../../runtime/environments/pocket/tasks/scripted-user.ts';
import { POCKET } from '../../../../runtime/environments/pocket/tasks/suite.ts';
import { TRAIN_SEEDS } from '../../../../runtime/environments/suite.ts';
import { outcomeAfter, taskOf } from './outcomes/episode.ts';

const SEEDS = [0, 1, 2, 3, 1000, 1001, 1002, 1003];

/** Templates of the second tier that have an outcome. */
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
  test.each(SEEDS)('has an outcome with its instruction, instance %i', number => {
    const { instruction, solve } = POCKET.instance(id, number);
    expect(outcomeAfter(taskOf(id, number), solve)?.ways).toContain(instruction);
  });

  test('has an outcome of a kind that the template asks for, on every training instance', () => {
    for (let number = 0; number < TRAIN_SEEDS; number++) {
      const outcome = outcomeAfter(taskOf(id, number), POCKET.instance(id, number).solve);
      expect(outcome).toSatisfy((each: WorldOutcome) => asksFor(id, each.kind));
    }
  });
});

test('every template with an outcome is listed here', () => {
  const withOutcome = trained.filter(({ id }) =>
    SEEDS.every(number => {
      const { instruction, solve } = POCKET.instance(id, number);
      return outcomeAfter(taskOf(id, number), solve)?.ways.includes(instruction);
    }),
  );
  expect(withOutcome.map(({ id }) => id).sort()).toEqual([...TIER_1, ...TIER_2].sort());
});

test('a template does not ask for a kind whose name only begins like its id', () => {
  expect(asksFor('mail-read-all', 'mail-read-all')).toBe(true);
  expect(asksFor('mail-read-all', 'mail-read')).toBe(false);
  expect(asksFor('mail-read', 'mail-read-all')).toBe(false);
});

test.each(POCKET.templates.map(({ id }) => id))(
  'near misses of %s have no outcome with its instruction',
  id => {
    for (const number of SEEDS) {
      const { instruction, misses } = POCKET.instance(id, number);
      for (const [name, miss] of Object.entries(misses)) {
        const ways = outcomeAfter(taskOf(id, number), miss)?.ways ?? [];
        expect(ways, `${instruction} Missed by: ${name}`).not.toContain(instruction);
      }
    }
  },
);

const UNSEEN = [
  'mail-unstar',
  'mail-rescue',
  'mail-send-two',
  'files-restore',
  'calendar-postpone',
  'notes-merge',
];

test.each(UNSEEN)('the solution of %s has no outcome, since the template is never trained', id => {
  expect(POCKET.template(id).unseen).toBe(true);
  for (const number of SEEDS)
    expect(outcomeAfter(taskOf(id, number), POCKET.instance(id, number).solve)).toBeUndefined();
});

test.each(POCKET.tasks('unseen'))('no outcome has an instruction of %s', id => {
  for (const number of SEEDS) {
    const { instruction, solve } = POCKET.instance(id, number);
    expect(outcomeAfter(taskOf(id, number), solve)?.ways ?? []).not.toContain(instruction);
  }
});

test('doing nothing has no outcome', () => {
  for (const { id } of POCKET.templates) expect(outcomeAfter(taskOf(id, 0), steps())).toBeUndefined();
});

test('opening an unread mail at the start has no outcome', () => {
  const mail = { id: 1, folder: 'Inbox', from: 'ada@x.org', to: 'me@x.org', subject: 'Hello', body: '' };
  const { machine, start, openings } = startOf({
    id: taskId('opened'),
    config: [
      { type: 'pocket_world', parameters: { mails: [mail] } },
      { type: 'pocket_open', parameters: { app: 'mail', what: 'mail:1' } },
    ],
  });
  expect(machine.world.mails).toMatchObject([{ read: true }]);
  expect(outcomeOf({ start, end: machine.world, openings })).toBeUndefined();
});

test('random actions lead to outcomes with plain and distinct ways', () => {
  const kinds = new Set<string>();
  for (const [index, { id }] of POCKET.templates.entries()) {
    const { machine, change } = taskOf(id, index % 32);
    const random = seeded(`deeds/${id}`);
    for (let step = 0; step < 40; step++) {
      machine.perform(randomAction(random, machine.elements(), SCREEN));
      const outcome = outcomeOf(change);
      if (outcome === undefined) continue;
      kinds.add(outcome.kind);
      expect(outcome.ways.length).toBeGreaterThan(0);
      expect(new Set(outcome.ways).size).toBe(outcome.ways.length);
      for (const way of outcome.ways) expect(way).toMatch(/^[^\n]{10,220}[.?]$/);
    }
  }
  expect(kinds.size).toBeGreaterThan(5);
});
