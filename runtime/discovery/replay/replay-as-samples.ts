// Replays actions under an instruction and records what a policy observes and would choose. It turns scripted solutions and relabelled
// episodes into training samples.

import { actionOf, choicesFor } from '../../agents/compact/act.ts';
import { splitIntoActions } from '../../agents/compact/action-parts.ts';
import type { Observation } from '../../agents/compact/observation.ts';
import { type Sample, sampleOf } from '../../agents/compact/sample.ts';
import { ScreenObserver } from '../../agents/compact/screen-observer.ts';
import type { Action } from '../../core/action.ts';
import type { Desktop } from '../../core/desktop.ts';
import type { Mode } from '../../core/policy.ts';
import type { Element } from '../../core/screen.ts';
import { Episode, type EpisodeOptions } from '../../rollout/episode.ts';

export interface ReplayedStep {
  readonly sample: Sample;
  /** The index of its action. Some actions take several samples. */
  readonly actionIndex: number;
  /** Before the step. */
  readonly observation: Observation;
  readonly elements: readonly Element[];
}

export interface ReplayedEpisode {
  readonly steps: readonly ReplayedStep[];
  readonly episode: Episode;
}

export interface ReplayOptions extends EpisodeOptions {
  readonly mode: Mode;
}

/** The last action is `finished` or `fail`, unless the task ends the episode. Undefined if the policy cannot express an action. */
export const replayAsSamples = (
  desktop: Desktop,
  options: Omit<ReplayOptions, 'maxSteps'>,
  actions: readonly Action[],
): Promise<ReplayedEpisode | undefined> =>
  replayBy(desktop, { ...options, maxSteps: Number.POSITIVE_INFINITY }, (_, index) => actions[index]);

/** The same with a solver that chooses each action by the episode so far, until it returns none or the episode ends. */
export async function replayBy(
  desktop: Desktop,
  options: ReplayOptions,
  next: (episode: Episode, index: number) => Action | undefined,
): Promise<ReplayedEpisode | undefined> {
  const episode = await Episode.start(desktop, options);
  const observer = new ScreenObserver(episode.instruction, options.mode, episode.screen);
  const steps: ReplayedStep[] = [];
  for (let actionIndex = 0; episode.end === undefined; actionIndex++) {
    const action = next(episode, actionIndex);
    if (action === undefined) break;
    // Nothing happened at a reply without an action.
    if (action.kind === 'none') continue;
    const parts = splitIntoActions(observer.tokens, episode.instruction, action);
    if (parts === undefined) return undefined;
    for (const part of parts) {
      if (episode.end !== undefined) break;
      const { instruction, elements } = episode;
      const { tokens, observation } = observer;
      const choices = choicesFor(tokens, instruction, part);
      if (choices === undefined) return undefined;
      steps.push({ sample: sampleOf(tokens, choices), actionIndex, observation, elements });
      // Act as the choices say: a point becomes the centre of its element, so the effect may differ slightly.
      const done = actionOf(tokens, instruction, choices);
      await episode.act(done);
      if (episode.end === undefined) observer.acted(done, episode.screen);
    }
  }
  return { steps, episode };
}
