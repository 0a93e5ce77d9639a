import { describe, expect, test } from 'vitest';
import type { ReplyDetail } from '../../../../runtime/protocol/daemon/reply.ts';
import type { StepDetail } from '../../../../runtime/protocol/daemon/trajectories.ts';
import { isFromModel, turnAt } from '../../../../webview/inspector/reply/turn.ts';
import { uncertaintyScale } from '../../../../webview/inspector/state.ts';

const reply: ReplyDetail = {
  ...{ raw: '', finish: 'stop', estimator: 'none', defects: [], tokens: [] },
  served: { endpoint: 'local', model: 'm', latencyMs: 1, retries: [] },
};
const step = (chosen?: Partial<NonNullable<StepDetail['chosen']>>): StepDetail => ({
  ...{ action: { kind: 'wait' }, says: 'wait', meant: [] },
  ...(chosen !== undefined && { chosen: { version: 0, decisions: [], ...chosen } }),
});
const first = (uncertainty: number) => step({ reply, uncertainty });
const next = step({ continues: true });
const each = [first(0.2), first(1.7), next, next, first(0.4), step({ uncertainty: 0.5 }), step()];

describe('the turn of a step', () => {
  test.each([
    [0, 0, 1],
    [1, 1, 3],
    [2, 1, 3],
    [3, 1, 3],
    [4, 4, 1],
  ])('of step %i begins at %i and has %i steps', (at, begin, count) => {
    const turn = turnAt(each, at);
    expect(turn).toMatchObject({ first: begin, reply });
    expect(turn?.steps).toEqual(each.slice(begin, begin + count));
  });

  test.each([5, 6, 7])('step %i has none: no language model chose it', at => {
    expect(turnAt(each, at)).toBeUndefined();
  });

  test('a continuation without its first step has none', () => {
    expect(turnAt([next], 0)).toBeUndefined();
  });
});

test('the bars of a language model reach to its largest entropy, others to 1', () => {
  expect(each.map(isFromModel)).toEqual([true, true, true, true, true, false, false]);
  expect(uncertaintyScale({ each })).toBe(1.7);
  expect(uncertaintyScale({ each: [first(0.2)] })).toBe(1);
  expect(uncertaintyScale({ each: [step({ uncertainty: 0.5 })] })).toBe(1);
});
