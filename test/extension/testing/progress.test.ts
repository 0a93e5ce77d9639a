import fc from 'fast-check';
import { expect, test } from 'vitest';
import { afterEnd, afterEpisode, newProgress, type TestUpdate } from '../../../extension/testing/progress.ts';
import type { EpisodeResult } from '../../../runtime/protocol/daemon/episode-result.ts';
import type { EvaluationEnd } from '../../../runtime/protocol/task-verdict.ts';
import { brokenEpisode, judgedEpisode } from '../../cli/episodes.ts';

const TASKS = ['a', 'b', 'c'];
const INSTANCES = 4;
const TESTS = TASKS.map(task => ({ id: `pocket/1/${task}`, kind: 'pocket', task, split: 'test' }) as const);

function updatesOf(episodes: readonly EpisodeResult[], end: EvaluationEnd): readonly TestUpdate[] {
  const updates: TestUpdate[] = [];
  let progress = newProgress(TESTS, INSTANCES);
  for (const episode of episodes) {
    const step = afterEpisode(progress, episode);
    progress = step.progress;
    updates.push(...step.updates);
  }
  return [...updates, ...afterEnd(progress, end)];
}

const drawn = fc.shuffledSubarray(
  TASKS.flatMap(task => Array.from({ length: INSTANCES }, (_, seed) => ({ task, seed }))),
);
const outcome = fc.constantFrom('success', 'failure', 'broken');
const end: fc.Arbitrary<EvaluationEnd> = fc.constantFrom(
  { status: 'ended' },
  { status: 'stopped' },
  { status: 'failed', message: 'no key' },
);

/** VS Code keeps the worst state that a test had. */
const RANK = { passed: 0, skipped: 1, failed: 2, errored: 3 } as const;
type StateName = keyof typeof RANK;
const isState = (kind: string): kind is StateName => kind in RANK;

test('in any order of episodes, the final state follows from the instances, and no state is ever taken back', () => {
  fc.assert(
    fc.property(drawn, fc.infiniteStream(outcome), end, (instances, outcomes, ended) => {
      const episodes = instances.map(({ task, seed }) => {
        const kind = outcomes.next().value;
        return kind === 'broken' ? brokenEpisode(task, seed) : judgedEpisode(task, seed, kind === 'success');
      });
      const updates = updatesOf(episodes, ended);
      for (const { id, task } of TESTS) {
        const own = episodes.filter(each => each.task === task);
        const states = updates.flatMap(update =>
          update.id === id && isState(update.kind) ? [update.kind] : [],
        );
        const failed = own.filter(each => each.outcome.kind === 'judged' && !each.outcome.success).length;
        const broken = own.filter(each => each.outcome.kind === 'broken').length;
        const last = states.at(-1);
        if (last === undefined) throw new Error(`'${id}' has no state.`);
        // VS Code shows the last state.
        expect(states.every(state => RANK[state] <= RANK[last])).toBe(true);
        expect(last === 'passed').toBe(own.length === INSTANCES && failed + broken === 0);
        expect(last === 'failed').toBe(failed > 0);
        if (failed === 0 && broken > 0) expect(last).toBe('errored');
        // One message for each failed instance, and one with their number.
        expect(states.filter(state => state === 'failed')).toHaveLength(failed === 0 ? 0 : failed + 1);
        expect(states.filter(state => state !== 'failed').length).toBeLessThanOrEqual(1);
      }
    }),
  );
});

test('a failed instance marks its test at once, and its link leads to the last step', () => {
  const progress = newProgress(TESTS, INSTANCES);
  const failure = judgedEpisode('a', 1001, false, { steps: 7 });
  const { updates } = afterEpisode(progress, failure);
  expect(updates.find(({ kind }) => kind === 'failed')).toEqual({
    ...{ kind: 'failed', id: 'pocket/1/a', durationMs: 500 },
    message: {
      text: 'Instance 1001: score 0 after 7 steps; the agent reported the task as done',
      at: { trajectory: failure.trajectory, step: 6 },
    },
  });
});

test('an agent that ends without a step has its only screen as the place', () => {
  const { updates } = afterEpisode(newProgress(TESTS, 1), judgedEpisode('a', 1, false, { steps: 0 }));
  expect(updates.find(({ kind }) => kind === 'failed')).toMatchObject({ message: { at: { step: 0 } } });
});

test('the last message counts the failed instances', () => {
  const episodes = [0, 1, 2, 3].map(seed => judgedEpisode('a', seed, seed === 2));
  expect(
    updatesOf(episodes, { status: 'ended' })
      .filter(({ kind }) => kind === 'failed')
      .at(-1),
  ).toMatchObject({
    message: { text: '3 of 4 instances failed' },
    durationMs: 2000,
  });
});

test('an episode of another task changes nothing', () => {
  const progress = newProgress(TESTS, INSTANCES);
  expect(afterEpisode(progress, judgedEpisode('other', 1, true))).toEqual({ progress, updates: [] });
});
