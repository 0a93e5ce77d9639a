// The core types: ids, keys, screens, actions, verdicts, failures, tasks and steps.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ACTION_KINDS, pointerAfter, wordless } from '../../runtime/core/action.ts';
import { uncertainty } from '../../runtime/core/decision.ts';
import { BoundaryError, failureOf, isWorthRetrying } from '../../runtime/core/failure.ts';
import {
  batchId,
  desktopId,
  groupId,
  orderId,
  runId,
  seed,
  taskId,
  trajectoryId,
  version,
} from '../../runtime/core/ids.ts';
import { findKey, KEYS, key } from '../../runtime/core/key.ts';
import { type Order, pinnedVersion } from '../../runtime/core/order.ts';
import { type Box, centre, contains } from '../../runtime/core/screen.ts';
import type { Step } from '../../runtime/core/step.ts';
import { isInfeasible, type Task } from '../../runtime/core/task.ts';
import { versionSpan } from '../../runtime/core/trajectory.ts';
import {
  isSuccess,
  judgeInfeasible,
  type Outcome,
  rewardOf,
  SUCCESS,
  verdict,
} from '../../runtime/core/verdict.ts';
import { action, SCREEN } from './arbitraries.ts';

describe('ids', () => {
  const constructors = { runId, orderId, groupId, trajectoryId, batchId, desktopId };

  test.each(Object.entries(constructors))(
    '%s accepts names that are safe as file names and rejects others',
    (_, make) => {
      for (const good of ['a', 'run-1', '030eeff7-b492-4218', 'A.b_c-9', 'x'.repeat(128)])
        expect(make(good)).toBe(good);
      for (const bad of ['', ' ', '.', '../up', 'a/b', 'a b', 'a\n', 'é', '-a', 'x'.repeat(129)]) {
        expect(() => make(bad)).toThrow(RangeError);
      }
    },
  );

  test('an error names the value and the kind of id', () => {
    expect(() => trajectoryId('a/b')).toThrow('Invalid trajectory id "a/b"');
  });

  test('task ids of third-party files are valid unless blank, too long or unprintable', () => {
    for (const good of ['030eeff7-b492', 'zenodo:17', 'chrome/über']) expect(taskId(good)).toBe(good);
    for (const bad of ['', '  ', 'a\nb', 'x'.repeat(201)])
      expect(() => taskId(bad)).toThrow(/Invalid task id/);
  });

  test('versions count from 0 and seeds have 32 bits', () => {
    for (const bad of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])
      expect(() => version(bad)).toThrow(RangeError);
    for (const bad of [-1, 0.5, Number.NaN, 2 ** 32]) expect(() => seed(bad)).toThrow(RangeError);
    expect([version(0), seed(2 ** 32 - 1)]).toEqual([0, 4294967295]);
  });
});

describe('keys', () => {
  test('each key has one name, and aliases map to it', () => {
    expect(new Set(KEYS).size).toBe(KEYS.length);
    for (const name of KEYS) expect(findKey(name)).toBe(name);
    expect([key('Return'), key('ESCAPE'), key(' '), key('cmd')]).toEqual(['enter', 'esc', 'space', 'win']);
  });

  test('a capital letter and a small one are different keys', () => {
    expect(key('S')).not.toBe(key('s'));
  });

  test('a character that a US keyboard does not have is not a key', () => {
    for (const bad of ['', 'é', '😀', 'ctrl c', 'constructor', '\0'])
      expect(() => key(bad)).toThrow(/Unknown key/);
  });
});

describe('screens', () => {
  test('boxes side by side share no pixel', () => {
    const left: Box = { x: 0, y: 0, width: 10, height: 10 };
    const right: Box = { ...left, x: 10 };
    for (let x = -1; x <= 20; x += 1) {
      for (let y = -1; y <= 10; y += 1) {
        const inside = [left, right].filter(box => contains(box, { x, y })).length;
        expect(inside).toBe(x >= 0 && x < 20 && y >= 0 && y < 10 ? 1 : 0);
      }
    }
  });

  test('the centre of a box that has pixels lies inside it', () => {
    const box = fc.record({
      x: fc.nat(99),
      y: fc.nat(99),
      width: fc.integer({ min: 1, max: 50 }),
      height: fc.integer({ min: 1, max: 50 }),
    });
    fc.assert(fc.property(box, candidate => contains(candidate, centre(candidate))));
  });
});

describe('actions', () => {
  test('the list has every kind once', () => {
    const seen = new Set(fc.sample(action(SCREEN), { numRuns: 2000, seed: 1 }).map(({ kind }) => kind));
    expect([...seen].sort()).toEqual([...ACTION_KINDS].sort());
    expect(new Set(ACTION_KINDS).size).toBe(ACTION_KINDS.length);
  });

  test('wordless removes the texts for the user only', () => {
    expect(wordless({ kind: 'finished', answer: 'yes' })).toEqual({ kind: 'finished', answer: '' });
    expect(wordless({ kind: 'type', text: 'yes' })).toEqual({ kind: 'type', text: 'yes' });
  });

  test('a drag leaves the pointer at its end, and typing leaves it alone', () => {
    expect(pointerAfter({ kind: 'drag', from: { x: 1, y: 2 }, to: { x: 3, y: 4 } })).toEqual({ x: 3, y: 4 });
    expect(pointerAfter({ kind: 'click', at: { x: 1, y: 2 } })).toEqual({ x: 1, y: 2 });
    expect(pointerAfter({ kind: 'type', text: 'a' })).toBeUndefined();
  });
});

describe('verdicts', () => {
  const judged = (score: number): Outcome => ({
    kind: 'judged',
    ending: 'finished',
    verdict: verdict(score, 'compared'),
  });
  const broken: Outcome = {
    kind: 'broken',
    failure: { boundary: 'environment', thing: 'd-1', message: 'it died' },
  };

  test('a score of 0.999 is a success', () => {
    expect(SUCCESS).toBe(0.999);
    expect([0, 0.5, 0.9989, 0.999, 1].map(score => isSuccess(judged(score)))).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
  });

  test('a broken episode has no reward, which is not a reward of 0', () => {
    expect(rewardOf(broken)).toBeUndefined();
    expect(isSuccess(broken)).toBe(false);
    expect(rewardOf(judged(0))).toBe(0);
  });

  test('a score outside 0 to 1 is rejected', () => {
    for (const bad of [-0.1, 1.1, Number.NaN]) expect(() => verdict(bad, 'odd')).toThrow(/Invalid score/);
  });

  test('only the action fail solves an infeasible task', () => {
    expect(judgeInfeasible('fail').score).toBe(1);
    expect(judgeInfeasible('capped').score).toBe(0);
    expect(judgeInfeasible('finished').score).toBe(0);
  });
});

describe('failures', () => {
  test('keep the boundary of a BoundaryError; other errors get the given one', () => {
    const failure = { boundary: 'provider', thing: 'docker', message: 'not running: start it' } as const;
    expect(failureOf(new BoundaryError(failure), 'environment', 'd-1')).toBe(failure);
    expect(failureOf(new Error('boom'), 'environment', 'd-1')).toEqual({
      boundary: 'environment',
      thing: 'd-1',
      message: 'boom',
    });
  });

  test('are retried unless the task is at fault, or a person must act', () => {
    const at = (boundary: 'environment' | 'policy' | 'task' | 'provider') =>
      isWorthRetrying({ boundary, thing: 'x', message: 'y' });
    expect([at('environment'), at('policy'), at('provider'), at('task')]).toEqual([true, true, true, false]);
    expect(isWorthRetrying({ boundary: 'provider', thing: 'x', message: 'y', isPermanent: true })).toBe(
      false,
    );
  });
});

describe('tasks and orders', () => {
  const task: Task = { id: taskId('t'), instruction: 'do', evaluator: { func: 'infeasible' }, proxy: false };

  test('a task keeps unknown keys of its file', () => {
    expect(task['proxy']).toBe(false);
    expect(isInfeasible(task)).toBe(true);
    expect(isInfeasible({ ...task, evaluator: { func: ['exact_match'] } })).toBe(false);
  });

  test('only an evaluation order has a required version', () => {
    const common = {
      id: orderId('o'),
      run: runId('r'),
      group: groupId('g'),
      instance: { task: taskId('t'), seed: seed(1) },
      maxSteps: 5,
      mode: 'screenshot_a11y_tree',
    } as const;
    const evaluation: Order = { ...common, purpose: 'evaluate', version: version(3) };
    expect(pinnedVersion(evaluation)).toBe(3);
    expect(pinnedVersion({ ...common, purpose: 'train' })).toBeUndefined();
  });
});

describe('steps', () => {
  test('uncertainty weighs decisions equally, whatever their number of choices', () => {
    const even = (choices: number) => ({ choices, entropy: Math.log(choices) });
    const sure = (choices: number) => ({ choices, entropy: 0 });
    expect(uncertainty([even(2), sure(80)])).toBeCloseTo(0.5);
    expect(uncertainty([sure(2), even(80)])).toBeCloseTo(0.5);
  });

  test('a decision without a choice does not count', () => {
    const forced = { choices: 1, entropy: 0 };
    expect(uncertainty([{ choices: 2, entropy: Math.log(2) }, forced])).toBeCloseTo(1);
    expect(uncertainty([forced])).toBe(0);
    expect(uncertainty([])).toBe(0);
  });

  test('a trajectory spans the versions that chose its steps', () => {
    const by = (number: number): Step => ({
      action: { kind: 'wait' },
      meant: [],
      chosen: { version: version(number), trace: { kind: 'heads', decisions: [] } },
    });
    const demonstrated: Step = { action: { kind: 'wait' }, meant: [] };
    expect(versionSpan([by(9), demonstrated, by(10), by(8)])).toEqual({ oldest: 8, newest: 10 });
    expect(versionSpan([by(4)])).toEqual({ oldest: 4, newest: 4 });
    expect(versionSpan([demonstrated])).toBeUndefined();
  });
});
