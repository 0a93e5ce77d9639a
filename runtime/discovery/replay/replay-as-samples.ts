// Plays actions under an instruction, and notes what a policy would have been shown and would have chosen: how scripted solutions and
// hindsight become something to imitate.

import { actionOf, choicesFor } from '../../agent/act.ts';
import type { Observation } from '../../agent/observation.ts';
import { inParts } from '../../agent/parts.ts';
import { type Sample, sampleOf } from '../../agent/sample.ts';
import type { Action } from '../../core/action.ts';
import type { Desktop } from '../../core/desktop.ts';
import type { Element, Screen } from '../../core/screen.ts';
import { Episode, type EpisodeOptions } from '../../rollout/episode.ts';

export interface ReplayedEpisode {
  readonly samples: readonly Sample[];
  /** Of each sample the number of its action: some actions take several choices. */
  readonly of: readonly number[];
  /** What was shown at each step, and all elements that were there. */
  readonly shown: readonly { readonly seen: Observation; readonly elements: readonly Element[] }[];
  readonly episode: Episode;
}

/** The actions end with a last word. Undefined where one of them is nothing that a policy can choose. */
export const replayAsSamples = (
  desktop: Desktop,
  options: Omit<EpisodeOptions, 'maxSteps'>,
  actions: readonly Action[],
): Promise<ReplayedEpisode | undefined> =>
  replayBy(desktop, { ...options, maxSteps: Number.POSITIVE_INFINITY }, (_, number) => actions[number]);

/** The same by somebody who looks at the screen before each action, until there is none or the episode has ended. */
export async function replayBy(
  desktop: Desktop,
  options: EpisodeOptions,
  next: (screen: Screen, number: number) => Action | undefined,
): Promise<ReplayedEpisode | undefined> {
  const episode = await Episode.start(desktop, options);
  const samples: Sample[] = [];
  const of: number[] = [];
  const shown: { readonly seen: Observation; readonly elements: readonly Element[] }[] = [];
  for (let number = 0; episode.ended === undefined; number++) {
    const action = next(episode.screen, number);
    if (action === undefined) break;
    for (const part of inParts(episode.tokens, episode.instruction, action) ?? [undefined]) {
      if (episode.ended !== undefined) break;
      const choices = part && choicesFor(episode.tokens, episode.instruction, part);
      if (part === undefined || choices === undefined) return undefined;
      shown.push({ seen: episode.seen, elements: episode.elements });
      samples.push(sampleOf(episode.tokens, choices));
      of.push(number);
      // What the choices do, which may be a little beside what was done: a point becomes the thing that it lies in.
      await episode.act(actionOf(episode.tokens, episode.instruction, choices));
    }
  }
  return { samples, of, shown, episode };
}
