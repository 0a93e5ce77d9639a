// Replays actions under an instruction and records what a policy observes and would choose. It turns scripted solutions and relabelled
// episodes into training samples.

import { actionOf, choicesFor } from '../../agent/act.ts';
import { splitIntoActions } from '../../agent/action-parts.ts';
import type { Observation } from '../../agent/observation.ts';
import { type Sample, sampleOf } from '../../agent/sample.ts';
import type { Action } from '../../core/action.ts';
import type { Desktop } from '../../core/desktop.ts';
import type { Element, Screen } from '../../core/screen.ts';
import { Episode, type EpisodeOptions } from '../../rollout/episode.ts';

export interface ReplayedEpisode {
  readonly samples: readonly Sample[];
  /** The index of the action of each sample. Some actions take several samples. */
  readonly actionIndices: readonly number[];
  /** The observation and the elements before each sample. */
  readonly views: readonly { readonly seen: Observation; readonly elements: readonly Element[] }[];
  readonly episode: Episode;
}

/** The last action is `finished` or `fail`. Undefined if the policy cannot express an action. */
export const replayAsSamples = (
  desktop: Desktop,
  options: Omit<EpisodeOptions, 'maxSteps'>,
  actions: readonly Action[],
): Promise<ReplayedEpisode | undefined> =>
  replayBy(desktop, { ...options, maxSteps: Number.POSITIVE_INFINITY }, (_, number) => actions[number]);

/** The same with a solver that chooses each action by the screen, until it returns none or the episode ends. */
export async function replayBy(
  desktop: Desktop,
  options: EpisodeOptions,
  next: (screen: Screen, number: number) => Action | undefined,
): Promise<ReplayedEpisode | undefined> {
  const episode = await Episode.start(desktop, options);
  const samples: Sample[] = [];
  const actionIndices: number[] = [];
  const views: { readonly seen: Observation; readonly elements: readonly Element[] }[] = [];
  for (let number = 0; episode.end === undefined; number++) {
    const action = next(episode.screen, number);
    if (action === undefined) break;
    for (const part of splitIntoActions(episode.tokens, episode.instruction, action) ?? [undefined]) {
      if (episode.end !== undefined) break;
      const choices = part && choicesFor(episode.tokens, episode.instruction, part);
      if (part === undefined || choices === undefined) return undefined;
      views.push({ seen: episode.observation, elements: episode.elements });
      samples.push(sampleOf(episode.tokens, choices));
      actionIndices.push(number);
      // Act as the choices say: a point becomes the centre of its element, so the effect may differ slightly.
      await episode.act(actionOf(episode.tokens, episode.instruction, choices));
    }
  }
  return { samples, actionIndices, views, episode };
}
