// Decides what a recording is kept as: a demonstration by the person, or a success of the agent that nobody corrected.

import type { Desktop } from '../core/desktop.ts';
import type { RecordingState } from '../protocol/daemon/record.ts';
import { agentSuccessFrom, type UncorrectedAgent } from './agent-success.ts';
import { type DemonstrationParts, demonstrationFrom, type MadeDemonstration } from './demonstration.ts';
import { RecordError } from './record-error.ts';
import { firstByPerson } from './steps.ts';

/** Throws for a judged recording that cannot be kept. */
export function requireSavable(
  { steps, split, seed, task, judgement }: RecordingState,
  drop: readonly number[],
): void {
  const outside = drop.find(number => number >= steps.length);
  if (outside !== undefined)
    throw new RecordError(
      `The demonstration has no step ${outside}: it has ${steps.length} steps, from 0. Drop others.`,
    );
  const ofAgent = drop.find(number => steps[number]?.by === 'agent');
  if (ofAgent !== undefined)
    throw new RecordError(`Step ${ofAgent} is one of the agent, and cannot be left out. Keep it.`);
  if (split !== 'train')
    throw new RecordError(
      `Seed ${seed} of '${task}' is for tests, and is never used for training. Record an instance of the split 'train'.`,
    );
  if (judgement?.success !== true)
    throw new RecordError(
      'The task was not solved, so there is nothing to learn. Start over, or discard it.',
    );
}

/** `agent`: the one that acted, if one did. */
export const savedFrom = (
  desktop: Desktop,
  parts: DemonstrationParts,
  agent: UncorrectedAgent | undefined,
): Promise<MadeDemonstration> =>
  agent !== undefined && firstByPerson(parts.steps) < 0
    ? agentSuccessFrom(desktop, parts, agent)
    : demonstrationFrom(desktop, parts);
