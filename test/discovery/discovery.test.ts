// What a host finds out by itself: that a policy could have done it, that it is called by what tasks ask for, and that shown solutions
// are whole.

import { beforeAll, describe, expect, test } from 'vitest';
import { actionOf } from '../../runtime/agents/compact/act.ts';
import { SLOTS } from '../../runtime/agents/compact/action-kinds.ts';
import { decode } from '../../runtime/agents/compact/observation.ts';
import { sampleFrom } from '../../runtime/agents/compact/step-sample.ts';
import { type TaskId, taskId } from '../../runtime/core/ids.ts';
import type { Lesson } from '../../runtime/core/lesson.ts';
import { isSuccess } from '../../runtime/core/verdict.ts';
import type { DiscoveryOptions } from '../../runtime/discovery/discovery.ts';
import { restoredChoice } from '../../runtime/discovery/lesson-steps.ts';
import { asksFor } from '../../runtime/environments/pocket/tasks/outcomes.ts';
import { POCKET, type PocketSuite } from '../../runtime/environments/pocket/tasks/suite.ts';
import { TRAIN_SEEDS } from '../../runtime/environments/suite.ts';
import { judged, trajectory } from '../data/trajectories.ts';
import { discovery, TASKS } from './discovery-fixture.ts';

/** Enough to find a few things. */
const MOMENTS = 60;

const actionsOf = ({ steps }: Lesson) =>
  steps.map(({ observation, choice }) => {
    const { tokens, chosen, used } = sampleFrom(observation, choice);
    const entries = SLOTS.flatMap((slot, index) => (used[index] === 1 ? [[slot, chosen[index] ?? 0]] : []));
    return actionOf(tokens, decode(observation).instruction, Object.fromEntries(entries));
  });

describe('exploring', () => {
  const found = discovery();
  beforeAll(async () => {
    for (let moment = 0; moment < MOMENTS; moment++) await found.one.explore();
  });

  test('takes steps and finds things', () => {
    expect(found.one.steps).toBeGreaterThan(MOMENTS);
    expect(found.lessons.filter(({ sort }) => sort !== 'grounding').length).toBeGreaterThan(3);
  });

  test('every decision of a lesson is an action on its screen, and the last one ends the episode', () => {
    for (const lesson of found.lessons) {
      const actions = actionsOf(lesson);
      expect(actions).toHaveLength(lesson.steps.length);
      if (lesson.sort === 'grounding') expect(actions).toHaveLength(1);
      else expect(actions.at(-1)).toMatchObject({ kind: 'finished' });
    }
  });

  test('outcomes that a task asks for have the sort hindsight, all others beside', () => {
    for (const { sort, kind } of found.lessons) {
      if (sort === 'grounding') continue;
      const isAsked = TASKS.some(task => asksFor(task, kind));
      expect([kind, sort]).toEqual([kind, isAsked ? 'hindsight' : 'beside']);
    }
  });

  test('grounding lessons name their element, and can be turned off', async () => {
    expect(found.lessons.some(({ sort }) => sort === 'grounding')).toBe(true);
    const without = discovery({ grounding: false });
    for (let moment = 0; moment < MOMENTS / 3; moment++) await without.one.explore();
    expect(without.lessons.filter(({ sort }) => sort === 'grounding')).toEqual([]);
  });

  test('the same seed finds the same lessons, another seed others', async () => {
    const [again, other] = [discovery(), discovery({}, 'other')];
    for (const { one } of [again, other]) for (let moment = 0; moment < 10; moment++) await one.explore();
    expect(again.lessons).toEqual(found.lessons.slice(0, again.lessons.length));
    expect(other.lessons).not.toEqual(again.lessons);
  });
});

test('it searches until every task is solved', () => {
  expect(discovery().one.isSearching).toBe(true);
  expect(discovery({ rateOf: () => 1 }).one.isSearching).toBe(false);
});

describe('a demonstration', () => {
  test('is a success of which a policy can choose every step', async () => {
    const { one, seedOf } = discovery();
    let shown = 0;
    // Of all sorts, and not all: it takes a while.
    const tasks = POCKET.tasks('train').filter((_, index) => index % 3 === 0);
    for (const task of tasks) {
      const [id, seed] = seedOf(task, 0);
      const demonstration = await one.demonstrate(id, seed);
      if (demonstration === undefined) continue;
      shown += 1;
      expect(demonstration).toMatchObject({
        ...{ instance: { task, seed }, purpose: 'demonstrate', provenance: { kind: 'oracle' } },
        maxSteps: demonstration.steps.length,
      });
      expect(isSuccess(demonstration.outcome)).toBe(true);
      expect(demonstration.steps.length).toBeGreaterThan(0);
      for (const step of demonstration.steps)
        expect(restoredChoice(step)?.decisions.length).toBeGreaterThan(0);
    }
    expect(shown).toBeGreaterThan(tasks.length * 0.8);
  });

  test('is the same trajectory each time', async () => {
    const [one, other] = [discovery(), discovery({}, 'other')];
    const [id, seed] = one.seedOf('settings-theme', 3);
    expect(await other.one.demonstrate(id, seed)).toEqual(await one.one.demonstrate(id, seed));
  });
});

describe('transfer', () => {
  const [FEW, TASK] = [3, 'mail-reply'];
  /** Nobody tells how the other instances are solved. */
  const suite: PocketSuite = {
    ...POCKET,
    instance: (id, seed) => {
      const made = POCKET.instance(id, seed);
      const solve = () => {
        throw new Error(`The solution of ${id} with the seed ${seed} was looked up.`);
      };
      return Number(seed) < FEW ? made : { ...made, solve };
    },
  };
  const carried = async (options: Partial<DiscoveryOptions> = {}) => {
    const { one, lessons, seedOf } = discovery({ suite, ...options });
    for (let index = 0; index < FEW; index++) await one.demonstrate(...seedOf(TASK, index));
    let moments = 0;
    while (moments < 1000 && (await one.transfer())) moments += 1;
    return { lessons, moments };
  };

  test('gives demonstrations of the other training instances that a policy can express', async () => {
    const { lessons, moments } = await carried();
    expect(moments).toBeLessThan(1000);
    // Measured: all 29.
    expect(lessons.length).toBeGreaterThan(25);
    expect(lessons.length).toBeLessThanOrEqual(TRAIN_SEEDS - FEW);
    const instructions = new Set<string>();
    for (const lesson of lessons) {
      expect(lesson).toMatchObject({ sort: 'demonstrations', kind: TASK, transferredFrom: 'script' });
      const actions = actionsOf(lesson);
      expect(actions.at(-1)).toMatchObject({ kind: 'finished' });
      for (const { observation } of lesson.steps) instructions.add(decode(observation).instruction);
    }
    expect(instructions.size).toBeGreaterThan(20);
  });

  test('of demonstrations by people gives the same, and only of tasks that are trained', async () => {
    const { one: scripted, seedOf } = discovery({ suite });
    const observed = async (tasks: readonly TaskId[]) => {
      const { one, lessons } = discovery({ suite, tasks });
      for (let index = 0; index < FEW; index++) {
        const demonstration = await scripted.demonstrate(...seedOf(TASK, index));
        if (demonstration === undefined) throw new Error(`${TASK} cannot be demonstrated.`);
        one.observe({ ...demonstration, provenance: { kind: 'human', who: 'ada' } });
      }
      for (let moments = 0; moments < 1000 && (await one.transfer()); ) moments += 1;
      return lessons;
    };
    const instances = (lessons: readonly Lesson[]) =>
      new Set(
        lessons.flatMap(({ steps }) => steps.map(({ observation }) => decode(observation).instruction)),
      );
    const ofPeople = await observed([taskId(TASK)]);
    expect(instances(ofPeople)).toEqual(instances((await carried()).lessons));
    expect(new Set(ofPeople.map(({ transferredFrom }) => transferredFrom))).toEqual(new Set(['person']));
    expect(await observed(TASKS)).toEqual([]);
  });

  test('is off when the configuration says so', async () => {
    expect(await carried({ analogy: false })).toEqual({ lessons: [], moments: 0 });
  });
});

describe('hindsight of a rollout', () => {
  /** Asked for one thing, it did another. */
  const mistaken = async () => {
    const { one, seedOf } = discovery();
    const [id, seed] = seedOf('settings-theme', 0);
    const shown = await one.demonstrate(id, seed);
    if (shown === undefined) throw new Error('There is no solution.');
    return trajectory('mistaken', { ...shown, purpose: 'train', outcome: judged(0) });
  };

  test('finds the outcome of a failed rollout', async () => {
    const { one, lessons } = discovery();
    await one.relabel(await mistaken());
    const [lesson] = lessons.filter(({ sort }) => sort !== 'grounding');
    expect(lesson).toMatchObject({ sort: 'hindsight', kind: 'settings-theme' });
  });

  test('ignores successes and broken rollouts, and can be turned off', async () => {
    const failed = await mistaken();
    const broken = { boundary: 'environment', thing: 'd', message: 'it hung' } as const;
    const { one, lessons } = discovery();
    await one.relabel({ ...failed, outcome: judged(1) });
    await one.relabel({ ...failed, outcome: { kind: 'broken', failure: broken } });
    const without = discovery({ hindsight: false });
    await without.one.relabel(failed);
    expect([...lessons, ...without.lessons]).toEqual([]);
  });
});
