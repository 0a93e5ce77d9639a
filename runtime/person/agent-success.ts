// Makes a collected success of an episode that an agent solved while a person watched.

import type { PlayingAgent } from '../collect/playing-agent.ts';
import { COMPACT_AGENT, type SentImage } from '../core/agent.ts';
import type { Desktop } from '../core/desktop.ts';
import type { Step } from '../core/step.ts';
import type { Trajectory } from '../core/trajectory.ts';
import type { Outcome } from '../core/verdict.ts';
import { type DemonstrationParts, framesOf, idOf, type PersonDemonstration } from './demonstration.ts';
import { decidedSteps, type PersonStep } from './steps.ts';

export interface UncorrectedAgent {
  readonly player: Pick<PlayingAgent, 'agent' | 'mode'>;
  /** Of its observations. */
  readonly images: readonly SentImage[];
}

/** Its steps with their decisions, as any collection has them. */
export async function agentSuccessFrom(
  desktop: Desktop,
  { own, instance, instruction, maxSteps, steps, outcome, person, startedAt, endedAt }: DemonstrationParts,
  { player: { agent, mode }, images }: UncorrectedAgent,
): Promise<PersonDemonstration> {
  const { renderer } = desktop;
  const trajectory: Trajectory = {
    ...{ id: idOf('live', instance, startedAt), instance, instruction, purpose: 'collect', mode, maxSteps },
    ...{ provenance: { kind: 'rollout' }, outcome, startedAt, endedAt },
    ...(agent.id !== COMPACT_AGENT && { agent: agent.id }),
    steps: storedSteps(steps, outcome),
    frames: renderer === undefined ? await framesOf(steps, person) : ({ kind: 'redrawn', renderer } as const),
    ...(images.length > 0 && { images }),
  };
  const note = `Nobody corrected the agent '${agent.id}': this is kept as a success of its own, in the success pool.`;
  return { trajectory, note, ...(own !== undefined && { own }) };
}

/** The choices of the agent, without the reply of a turn whose last actions were dropped: an export would teach them as well. */
function storedSteps(steps: readonly PersonStep[], outcome: Outcome): readonly Step[] {
  const isCapped = outcome.kind === 'judged' && outcome.ending === 'capped';
  return steps.map(({ action, decided, turnLength }, index): Step => {
    const { from, steps: turn } = decidedSteps(steps, [], index);
    // The episode may end within its last turn.
    const isWhole = turn.length === turnLength || (!isCapped && from + turn.length === steps.length);
    return isWhole && decided !== undefined ? decided : { action, meant: decided?.meant ?? [] };
  });
}
