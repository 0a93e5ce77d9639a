import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  configOfKind,
  evaluationParams,
  instancesOf,
  kindOf,
  plannedEvaluations,
} from '../../../extension/testing/plan.ts';
import type { TestedTask } from '../../../extension/testing/tree.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { parseConfig } from '../../../runtime/config/config.ts';
import { request } from '../../../runtime/protocol/daemon/messages.ts';
import { DESKTOP_KINDS } from '../../../runtime/protocol/desktop-kinds.ts';

const tests = fc
  .array(
    fc.record({
      kind: fc.constantFrom(...DESKTOP_KINDS),
      split: fc.constantFrom('test' as const, 'unseen' as const),
    }),
    { maxLength: 2100, size: 'max' },
  )
  .map(all => all.map((each, at): TestedTask => ({ ...each, task: `task-${at}`, id: `${each.kind}/${at}` })));

test('every test is in exactly one evaluation of its kind and split, and the daemon accepts the request', () => {
  const choice = { config: {}, agent: 'compact', instances: 5, who: 'ada' };
  fc.assert(
    fc.property(tests, all => {
      const planned = plannedEvaluations(all);
      expect(planned.flatMap(each => each.tests).toSorted(byId)).toEqual(all.toSorted(byId));
      for (const { kind, split, tests: own } of planned) {
        expect(own.length).toBeGreaterThan(0);
        for (const each of own) expect(each).toMatchObject({ kind, split });
        const params = evaluationParams({ kind, split, tests: own }, choice);
        expect(request.safeParse({ id: 1, method: 'collect.start', params }).success).toBe(true);
      }
    }),
    { numRuns: 10 },
  );
});

const byId = (a: TestedTask, b: TestedTask): number => (a.id < b.id ? -1 : 1);

test('the latest weights and an agent play each test instance once, with the likeliest choices', () => {
  const [planned] = plannedEvaluations([{ id: 'web/1/x', kind: 'web', task: 'x', split: 'unseen' }]);
  if (planned === undefined) throw new Error('Nothing is planned.');
  const config = { agents: { tars: { profile: 'generic' } }, minutes: 3 };
  expect(evaluationParams(planned, { config, agent: 'tars', instances: 3, who: 'ada' })).toEqual({
    config: { environments: { kind: 'web' }, agents: config.agents },
    by: { kind: 'agent', agent: 'tars', rollouts: 1, temperature: 0 },
    wanted: { tasks: ['x'] },
    ...{ evaluates: 'unseen', instances: 3, accepts: false, who: 'ada' },
  });
});

test('tasks of guests have one instance each', () => {
  const [planned] = plannedEvaluations([{ id: 'guest/1/x', kind: 'guest', task: 'x', split: 'test' }]);
  if (planned === undefined) throw new Error('Nothing is planned.');
  const choice = { config: {}, agent: 'tars', instances: 5, who: 'ada' };
  expect(evaluationParams(planned, choice).instances).toBe(1);
});

test('dartboard.json sets up its own kind of desktops; other kinds have their defaults', () => {
  const config = { environments: { kind: 'web', web: { browser: '/opt/mine' } }, suite: { files: 'tasks' } };
  expect(configOfKind(config, 'web')).toBe(config);
  expect(configOfKind(config, 'docker')).toEqual({ environments: { kind: 'docker' } });
  const hosts = [{ address: 'http://lab:5000', browserPort: 9222, vlcPort: 8080 }];
  const withGuests = { minutes: 7, environments: { guest: { hosts } }, suite: { files: 'osworld' } };
  // Guests that are there to be chosen.
  expect(parseConfig(configOfKind(withGuests, 'pocket'))).toEqual(parseConfig({ minutes: 7 }));
  // The default of the daemon is the same.
  expect(kindOf({})).toBe(parseConfig({}).environments.kind);
  expect(kindOf({ environments: { kind: 'tablet' } })).toBe('pocket');
});

test('an instance count that is not valid is replaced by the default of the setting', () => {
  const {
    default: standard,
    minimum,
    maximum,
  } = manifest.contributes.configuration.properties['dartboard.testing.instances'];
  for (const value of [minimum, maximum, 7]) expect(instancesOf(value)).toBe(value);
  for (const value of [0, maximum + 1, 2.5, Number.NaN, '7', null, undefined])
    expect(instancesOf(value)).toBe(standard);
});
