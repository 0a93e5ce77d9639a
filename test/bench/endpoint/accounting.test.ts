// What the benchmark counts as lost, resampled, or wrongly recorded.

import { expect, test } from 'vitest';
import {
  type AskedStep,
  accountOf,
  problemOf,
  type ServedAttempt,
} from '../../../runtime/bench/endpoint/accounting.ts';
import type { Fault } from '../../../runtime/bench/endpoint/faults.ts';

const attempt = (id: string, fault?: Fault, mayBeCut = false): ServedAttempt => ({
  ...{ id, seed: 7, model: 'policy', version: 'v0', mayBeCut },
  ...(fault !== undefined && { fault }),
});
const step = (id: string | undefined, retries: readonly string[], rest: object = {}): AskedStep => ({
  seed: 7,
  reply: { id, retries, model: 'policy', reportedVersion: 'v0', defects: [], ...rest },
});

test.each<[string, AskedStep, readonly ServedAttempt[]]>([
  ['a reply at once', step('a', []), [attempt('a')]],
  [
    'each fault with its cause',
    step('d', ['server-error', 'bad-reply', 'unreachable']),
    [attempt('a', 'server-error'), attempt('b', 'truncated-json'), attempt('c', 'cut-off'), attempt('d')],
  ],
  ['refused connections, which no server saw', step('a', ['unreachable', 'unreachable']), [attempt('a')]],
  [
    'a refused connection before a fault of a server that is killed later',
    step('b', ['unreachable', 'server-error']),
    [attempt('a', 'server-error', true), attempt('b')],
  ],
  ['a killed server', step('b', ['unreachable']), [attempt('a', undefined, true), attempt('b')]],
  ['a late reply', step('b', ['timeout']), [attempt('a'), attempt('b')]],
  [
    'wrong lengths, which are named and not asked again',
    step('a', [], { defects: ['log-probabilities-length'] }),
    [attempt('a', 'wrong-lengths')],
  ],
])('%s is no problem', (_, asked, attempts) => {
  expect(problemOf(asked, attempts)).toBeUndefined();
});

test.each<[string, AskedStep, readonly ServedAttempt[], string]>([
  ['no reply', { seed: 7 }, [attempt('a', 'server-error')], 'lost'],
  ['a second request that no retry explains', step('b', []), [attempt('a'), attempt('b')], 'resampled'],
  ['an earlier reply than the last', step('a', ['timeout']), [attempt('a'), attempt('b')], 'resampled'],
  ['a reply of nobody', step(undefined, []), [attempt('a')], 'resampled'],
  ['another cause', step('b', ['bad-reply']), [attempt('a', 'server-error'), attempt('b')], 'wrong-cause'],
  ['a cause without an attempt', step('a', ['server-error']), [attempt('a')], 'wrong-cause'],
  [
    'a lost connection to a server that lives',
    step('b', ['unreachable']),
    [attempt('a'), attempt('b')],
    'wrong-cause',
  ],
  ['another version', step('a', [], { reportedVersion: 'v1' }), [attempt('a')], 'wrong-version'],
  ['another model', step('a', [], { model: 'other' }), [attempt('a')], 'wrong-version'],
  ['wrong lengths unnoticed', step('a', []), [attempt('a', 'wrong-lengths')], 'wrong-defects'],
  [
    'a defect of an honest reply',
    step('a', [], { defects: ['wrong-model'] }),
    [attempt('a')],
    'wrong-defects',
  ],
])('%s is the problem', (_, asked, attempts, problem) => {
  expect(problemOf(asked, attempts)).toBe(problem);
});

test('an account counts problems, causes, faults, and attempts of no step', () => {
  const steps = [step('b', ['server-error']), { seed: 8 }];
  const attempts = [attempt('a', 'server-error'), attempt('b'), { ...attempt('c'), seed: 9 }];
  expect(accountOf(steps, attempts)).toMatchObject({
    ...{ steps: 2, attempts: 3, strangers: 1 },
    problems: { lost: 1, resampled: 0, 'wrong-cause': 0, 'wrong-version': 0, 'wrong-defects': 0 },
    retries: { 'server-error': 1 },
    faults: { 'server-error': 1 },
    examples: [{ seed: 8, attempts: [] }],
  });
});
