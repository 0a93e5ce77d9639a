// Plays one instruction with a policy and records each step: the action, its probability, the runner-up and the outcome.

import { actionOf, candidatesOf, usedSlots } from '../agents/compact/act.ts';
import { distribution, sampledRows, samplingFeeds } from '../agents/compact/decide.ts';
import { feedsOf } from '../agents/compact/feeds.ts';
import { ScreenObserver } from '../agents/compact/screen-observer.ts';
import { desktopId } from '../core/ids.ts';
import type { Mode } from '../core/policy.ts';
import { copyPixels } from '../core/screen.ts';
import type { Instance } from '../core/task.ts';
import { isSuccess } from '../core/verdict.ts';
import type { Session } from '../graph/session.ts';
import { Episode } from '../rollout/episode.ts';
import type { Attempt, AttemptStep } from './calls.ts';
import type { DesktopSession } from './desktop-session.ts';
import { type ObservedStep, sentenceFor, sentenceForAlternative } from './sentences.ts';

export interface AttemptPolicy {
  readonly desktops: DesktopSession;
  readonly deciding: Session;
  readonly mode: Mode;
  readonly pixels: boolean;
}

export async function attempt(
  policy: AttemptPolicy,
  { task: id, seed }: Instance,
  chosenInstruction: string | undefined,
  maxSteps: number,
): Promise<Attempt> {
  const { desktops, mode } = policy;
  const task = desktops.suite.task(id, seed);
  const desktop = await desktops.make(desktopId('attempt'));
  try {
    const episode = await Episode.start(desktop, {
      ...{ task, seed, maxSteps },
      ...(chosenInstruction !== undefined && { instruction: chosenInstruction }),
    });
    const { instruction, isJudged } = episode;
    const observer = new ScreenObserver(instruction, mode, episode.screen);
    const steps: AttemptStep[] = [];
    while (episode.end === undefined) steps.push(await oneStep(policy, episode, observer));
    return {
      instruction,
      steps,
      last: copyPixels(episode.screen.pixels),
      ending: episode.end.ending,
      ...(await desktops.describe(task, episode.actions, desktop)),
      ...(isJudged && { success: isSuccess({ kind: 'judged', ...episode.end }) }),
    };
  } finally {
    await desktop.close();
  }
}

async function oneStep(
  { deciding, pixels }: AttemptPolicy,
  episode: Episode,
  observer: ScreenObserver,
): Promise<AttemptStep> {
  const { instruction, screen } = episode;
  const { tokens, observation } = observer;
  const feeds = feedsOf([tokens], pixels);
  const greedy = samplingFeeds(1, () => 0.5, { temperature: 0, exploration: 0 });
  const outputs = await deciding.run({ ...feeds, ...greedy });
  const [row] = sampledRows(outputs, 1);
  if (row === undefined) throw new RangeError('The network returned no choices for the observation.');
  const { choices } = row;
  const { slot, sure, other } = usedSlots(tokens, choices)
    .map(each => ({ slot: each, ...confidenceOf(distribution(outputs, each, 0, 1), choices[each]) }))
    .reduce((least, next) => (next.sure < least.sure ? next : least));
  const observed: ObservedStep = { tokens, seen: observation, instruction };
  const step: AttemptStep = {
    sentence: sentenceFor(observed, choices),
    sure,
    boxes: candidatesOf(tokens, choices).map(({ box }) => box),
    screen: copyPixels(screen.pixels),
    ...(other && {
      nearly: {
        sentence: sentenceForAlternative(observed, choices, slot, other.choice),
        probability: other.probability,
      },
    }),
  };
  const action = actionOf(tokens, instruction, choices);
  await episode.act(action);
  if (episode.end === undefined) observer.acted(action, episode.screen);
  return step;
}

export interface Confidence {
  /** The probability of the choice. */
  readonly sure: number;
  /** The runner-up, if its probability exceeds MIN_PROBABILITY. */
  readonly other: { readonly choice: number; readonly probability: number } | undefined;
}

const MIN_PROBABILITY = 0.01;

export function confidenceOf(logProbabilities: Float32Array, chosen: number): Confidence {
  let other: Confidence['other'];
  for (const [choice, logarithm] of logProbabilities.entries()) {
    const probability = Math.exp(logarithm);
    if (choice !== chosen && probability > (other?.probability ?? MIN_PROBABILITY))
      other = { choice, probability };
  }
  return { sure: Math.exp(logProbabilities[chosen] ?? Number.NaN), other };
}
