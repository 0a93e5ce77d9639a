// The JUnit file of an evaluation, its counts against those of the episodes, and the rule of --at-least.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type JunitEvaluation,
  junitReport,
  junitTasksOfEpisodes,
  junitTasksOfScores,
  prepareJunit,
  writeJunit,
} from '../../runtime/cli/eval-junit.ts';
import { requireSuccess } from '../../runtime/cli/eval-least.ts';
import { junitXml } from '../../runtime/cli/junit.ts';
import { wilson } from '../../runtime/data/interval.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';
import type { EpisodeResult } from '../../runtime/protocol/daemon/episode-result.ts';
import type { EvaluationEnd } from '../../runtime/protocol/task-verdict.ts';
import { children, parseXml, rootOf } from '../../runtime/tasks/formats/xml.ts';
import { temporaryFolder } from '../temporary.ts';
import { brokenEpisode, judgedEpisode } from './episodes.ts';

const TASKS = [...POCKET.tasks('test', 1).slice(0, 2), ...POCKET.tasks('test', 3).slice(0, 2)];
const INSTANCES = 3;
const ENDED: EvaluationEnd = { status: 'ended' };

const evaluated = (
  episodes: readonly EpisodeResult[],
  end = ENDED,
  tasks: readonly string[] = TASKS,
): JunitEvaluation => ({
  ...{ kind: 'pocket', suite: POCKET, instances: INSTANCES, startedAt: 0, end },
  about: { agent: 'tars', evaluation: 'evaluate-x' },
  tasks: junitTasksOfEpisodes(tasks, INSTANCES, episodes),
});

const episodes = fc.uniqueArray(
  fc.record({
    task: fc.constantFrom(...TASKS),
    seed: fc.nat(INSTANCES - 1),
    outcome: fc.constantFrom('success', 'failure', 'broken'),
  }),
  { selector: ({ task, seed }) => `${task} ${seed}`, maxLength: TASKS.length * INSTANCES },
);
const ends: fc.Arbitrary<EvaluationEnd> = fc.constantFrom(
  ENDED,
  { status: 'stopped' },
  { status: 'failed', message: 'no key' },
);

test('the counts of the file are those of the episodes', () => {
  fc.assert(
    fc.property(episodes, ends, (drawn, end) => {
      const results = drawn.map(({ task, seed, outcome }) =>
        outcome === 'broken' ? brokenEpisode(task, seed) : judgedEpisode(task, seed, outcome === 'success'),
      );
      const root = rootOf(parseXml(junitXml(junitReport(evaluated(results, end)))));
      const cases = children(root).flatMap(suite => children(suite, 'testcase'));
      expect(cases.map(each => each.getAttribute('name')).toSorted()).toEqual([...TASKS].toSorted());
      const has = (task: string, outcome: string) =>
        drawn.some(each => each.task === task && each.outcome === outcome);
      const failed = TASKS.filter(task => has(task, 'failure'));
      expect(Number(root.getAttribute('failures'))).toBe(failed.length);
      for (const each of cases) {
        const task = each.getAttribute('name') ?? '';
        const own = results.filter(result => result.task === task);
        const [failure] = children(each, 'failure');
        expect(failure !== undefined).toBe(failed.some(name => name === task));
        const lines = failure?.textContent?.split('\n') ?? [];
        const unsolved = own.filter(({ outcome }) => outcome.kind === 'broken' || !outcome.success);
        if (failure === undefined) continue;
        expect(lines).toHaveLength(unsolved.length);
        for (const { seed, trajectory } of unsolved)
          expect(
            lines.filter(line => line.includes(`Instance ${seed}:`) && line.includes(trajectory)),
          ).toHaveLength(1);
      }
    }),
  );
});

test('a suite is a tier, with the agent and the interval of its tasks', () => {
  const [easy = ''] = TASKS;
  const results = [judgedEpisode(easy, 0, true), judgedEpisode(easy, 1, false), brokenEpisode(easy, 2)];
  const { suites } = junitReport(evaluated(results, ENDED, [easy]));
  expect(suites).toHaveLength(1);
  const { low, high } = wilson({ successes: 1, trials: 2 });
  expect(suites[0]).toMatchObject({
    name: 'Pocket desktop, tier 1: single steps',
    properties: {
      ...{ agent: 'tars', evaluation: 'evaluate-x', tier: 1, desktops: 'pocket', successes: 1, trials: 2 },
      ...{ rate: '0.5000', low: low.toFixed(4), high: high.toFixed(4) },
    },
    cases: [{ className: 'pocket.tier1', name: easy, seconds: 1.5, properties: { broken: 1 } }],
  });
  expect(suites[0]?.cases[0]?.result).toMatchObject({
    ...{ kind: 'failure', message: '1 of 3 instances failed; 1 broke' },
  });
});

test('broken episodes are errors with their reason, and unplayed tasks are skipped after a stop', () => {
  const [first = '', second = ''] = TASKS;
  const report = junitReport(
    evaluated(
      [0, 1, 2].map(seed => brokenEpisode(first, seed, 'no <screen>')),
      { status: 'stopped' },
      [first, second],
    ),
  );
  expect(report.suites[0]?.cases.map(({ result }) => result)).toMatchObject([
    { kind: 'error', message: '3 of 3 instances broke: no <screen>' },
    { kind: 'skipped', message: '0 of 3 instances were played: the evaluation was stopped' },
  ]);
});

test('an evaluation of saved weights has numbers of instances alone', () => {
  const [task = ''] = TASKS;
  const tasks = junitTasksOfScores(20, [{ task, successes: 17, trials: 20, broken: 0 }]);
  const report = junitReport({ ...evaluated([]), instances: 20, tasks });
  expect(report.suites[0]?.cases[0]?.result).toMatchObject({
    ...{ kind: 'failure', message: '3 of 20 instances failed' },
    details: expect.stringContaining('--agent compact'),
  });
});

test('the file is emptied before the evaluation, and its folders are made', async () => {
  const folder = temporaryFolder('junit');
  const read = () => readFileSync(join(folder, 'reports/eval.xml'), 'utf8');
  await writeJunit(folder, 'reports/eval.xml', evaluated([]));
  expect(rootOf(parseXml(read())).tagName).toBe('testsuites');
  await prepareJunit(folder, 'reports/eval.xml');
  expect(read()).toBe('');
  writeFileSync(join(folder, 'plain'), '');
  await expect(prepareJunit(folder, 'plain/eval.xml')).rejects.toThrow(
    /--junit 'plain\/eval\.xml' cannot be written \(.*\)\. Give a file/,
  );
});

test('--at-least fails below the bar, without a judged episode, and after a stop', () => {
  fc.assert(
    fc.property(
      fc.nat(2000),
      fc.integer({ min: 1, max: 2000 }),
      fc.integer({ min: 0, max: 1000 }),
      (successes, trials, tenths) => {
        fc.pre(successes <= trials);
        const check = () => requireSuccess(tenths / 10, { successes, trials }, ENDED);
        // In whole numbers, without rounding.
        if (1000 * successes >= tenths * trials) expect(check).not.toThrow();
        else expect(check).toThrow(`${tenths / 10}. Train longer`);
      },
    ),
  );
  expect(() => requireSuccess(0, { successes: 0, trials: 0 }, ENDED)).toThrow('No episode was judged');
  expect(() => requireSuccess(50, { successes: 4, trials: 4 }, { status: 'stopped' })).toThrow(
    'was stopped early, so --at-least 50 is not met (4 of 4',
  );
  expect(() => requireSuccess(undefined, { successes: 0, trials: 9 }, { status: 'stopped' })).not.toThrow();
});
