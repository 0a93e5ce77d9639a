import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  describeEpisode,
  EMPTY_TALLY,
  type EvaluationEnd,
  verdictOfTask,
  withEpisode,
} from '../../runtime/protocol/task-verdict.ts';
import { brokenEpisode, judgedEpisode } from '../cli/episodes.ts';

const end: fc.Arbitrary<EvaluationEnd> = fc.constantFrom(
  { status: 'ended' },
  { status: 'stopped' },
  { status: 'failed', message: 'The key has expired.' },
);
const counts = fc.record({
  ...{ succeeded: fc.nat(5), failed: fc.nat(5), broken: fc.nat(5), missing: fc.nat(5) },
});

test('a task passes only if all instances succeeded, and fails if and only if a judged one failed', () => {
  fc.assert(
    fc.property(counts, end, ({ missing, ...tally }, ended) => {
      const planned = tally.succeeded + tally.failed + tally.broken + missing;
      const { kind } = verdictOfTask({ ...tally, planned }, ended, 'no desktop');
      expect(kind === 'passed').toBe(tally.succeeded === planned);
      expect(kind === 'failed').toBe(tally.failed > 0);
      if (tally.broken > 0 && tally.failed === 0) expect(kind).toBe('errored');
      if (kind === 'skipped') expect(ended.status).toBe('stopped');
    }),
  );
});

const message = (of: Partial<Parameters<typeof verdictOfTask>[0]>, ended: EvaluationEnd, reason?: string) => {
  const verdict = verdictOfTask({ ...EMPTY_TALLY, planned: 5, ...of }, ended, reason);
  return verdict.kind === 'passed' ? '' : verdict.message;
};

test('the message counts what failed, broke and was not played', () => {
  const ended = { status: 'ended' } as const;
  expect(message({ succeeded: 2, failed: 3 }, ended)).toBe('3 of 5 instances failed');
  expect(message({ failed: 1, planned: 1 }, ended)).toBe('1 of 1 instance failed');
  expect(message({ succeeded: 1, failed: 2, broken: 1 }, { status: 'stopped' })).toBe(
    '2 of 5 instances failed; 1 broke; 1 was not played',
  );
  expect(message({ succeeded: 4, broken: 1 }, ended, 'no desktop')).toBe(
    '1 of 5 instances broke: no desktop',
  );
  expect(message({ succeeded: 2 }, { status: 'stopped' })).toBe(
    '2 of 5 instances were played: the evaluation was stopped',
  );
  expect(message({}, { status: 'failed', message: 'The key has expired.' })).toBe(
    '0 of 5 instances were played: The key has expired.',
  );
});

test('episodes are counted by their outcome', () => {
  const episodes = [judgedEpisode('a', 1, true), judgedEpisode('a', 2, false), brokenEpisode('a', 3)];
  expect(episodes.reduce(withEpisode, { ...EMPTY_TALLY, planned: 4 })).toEqual({
    ...{ planned: 4, succeeded: 1, failed: 1, broken: 1 },
  });
});

test('an episode is described by its instance, its score and its end', () => {
  expect(describeEpisode(judgedEpisode('a', 1003, false, { steps: 1, score: 1 / 3 }))).toBe(
    'Instance 1003: score 0.333 after 1 step; the agent reported the task as done',
  );
  expect(describeEpisode(brokenEpisode('a', 7, 'The browser ended.'))).toBe(
    'Instance 7: broke (environment): The browser ended.',
  );
});
