// The choices behind a recorded action.

import { beforeAll, describe, expect, test } from 'vitest';
import { actionOf } from '../../../runtime/agents/compact/act.ts';
import { SLOTS } from '../../../runtime/agents/compact/action-kinds.ts';
import { decode } from '../../../runtime/agents/compact/observation.ts';
import { sampleFrom } from '../../../runtime/agents/compact/step-sample.ts';
import { tokensOf } from '../../../runtime/agents/compact/tokens.ts';
import type { Step } from '../../../runtime/core/step.ts';
import type { Trajectory } from '../../../runtime/core/trajectory.ts';
import { restoredChoice } from '../../../runtime/discovery/lesson-steps.ts';
import { discovery } from '../discovery-fixture.ts';

const demonstrations: Trajectory[] = [];
beforeAll(async () => {
  const { one, seedOf } = discovery();
  for (const task of ['settings-theme', 'files-rename', 'mail-forward', 'calendar-move']) {
    const shown = await one.demonstrate(...seedOf(task, 0));
    if (shown !== undefined) demonstrations.push(shown);
  }
});

const firstStep = (): Step => {
  const [step] = demonstrations[0]?.steps ?? [];
  if (step === undefined) throw new Error('Nothing was shown.');
  return step;
};

describe('of a step that somebody showed', () => {
  test('the choices make the action again', () => {
    expect(demonstrations.length).toBeGreaterThan(2);
    for (const { steps } of demonstrations)
      for (const step of steps) {
        const choices = restoredChoice(step);
        if (choices === undefined || step.observation === undefined) throw new Error('It is not whole.');
        const { tokens, chosen, used } = sampleFrom(step.observation, choices);
        const bySlot = Object.fromEntries(
          SLOTS.flatMap((slot, index) => (used[index] === 1 ? [[slot, chosen[index] ?? 0]] : [])),
        );
        expect(actionOf(tokens, decode(step.observation).instruction, bySlot)).toEqual(step.action);
        expect(tokens).toEqual(tokensOf(decode(step.observation)));
      }
  });

  test('nothing is known where it is not known what was seen, or where no policy could have done it', () => {
    const { observation: _, ...blind } = firstStep();
    expect(restoredChoice(blind)).toBeUndefined();
    const action = { kind: 'type', text: 'words that stand nowhere at all' } as const;
    expect(restoredChoice({ ...firstStep(), action })).toBeUndefined();
  });
});
