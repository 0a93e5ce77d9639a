// One attempt of a policy at an instruction, watched closely: what it does, how sure it is of that, what it nearly did, and what
// came of it.

import { actionOf, candidatesOf, usedSlots } from '../agent/act.ts';
import { distribution, sampledRows, samplingFeeds } from '../agent/decide.ts';
import { feedsOf } from '../agent/feeds.ts';
import type { Desktop } from '../core/desktop.ts';
import { desktopId, seed } from '../core/ids.ts';
import type { Mode } from '../core/policy.ts';
import type { Screen } from '../core/screen.ts';
import { isSuccess } from '../core/verdict.ts';
import type { Session } from '../graph/session.ts';
import { Episode } from '../rollout/episode.ts';
import type { Attempt, AttemptStep, Place } from './calls.ts';
import type { DesktopSession } from './desktop-session.ts';
import { type ObservedStep, sentenceFor, sentenceForAlternative } from './sentences.ts';

export interface AttemptPolicy {
  readonly stage: DesktopSession;
  readonly deciding: Session;
  readonly mode: Mode;
  readonly pixels: boolean;
}

export async function attempt(
  performer: AttemptPolicy,
  { task: id, seed: number }: Place,
  asked: string | undefined,
  maxSteps: number,
): Promise<Attempt> {
  const { stage, mode } = performer;
  const task = stage.suite.task(id, seed(number));
  const instruction = asked ?? task.instruction;
  const desktop = await stage.make(desktopId('attempt'));
  try {
    const screens: Screen[] = [];
    const options = { task, seed: seed(number), mode, maxSteps, instruction };
    const episode = await Episode.start(filmed(desktop, screens), options);
    const steps: AttemptStep[] = [];
    while (episode.end === undefined) steps.push(await oneStep(performer, episode, screens));
    return {
      instruction,
      steps,
      last: latest(screens).pixels,
      ending: episode.end.ending,
      ...(await stage.describe(task, episode.actions, desktop)),
      ...(instruction === task.instruction && { success: isSuccess({ kind: 'judged', ...episode.end }) }),
    };
  } finally {
    await desktop.close();
  }
}

async function oneStep(
  { deciding, pixels }: AttemptPolicy,
  episode: Episode,
  screens: Screen[],
): Promise<AttemptStep> {
  const { tokens, observation, instruction } = episode;
  const feeds = feedsOf([tokens], pixels);
  const surest = samplingFeeds(1, () => 0.5, { temperature: 0, exploration: 0 });
  const outputs = await deciding.run({ ...feeds, ...surest });
  const [drawn] = sampledRows(outputs, 1);
  if (drawn === undefined) throw new RangeError('The policy decided nothing.');
  const { choices } = drawn;

  const { slot, sure, other } = usedSlots(tokens, choices)
    .map(each => ({ slot: each, ...confidenceOf(distribution(outputs, each, 0, 1), choices[each]) }))
    .reduce((least, next) => (next.sure < least.sure ? next : least));
  const shown: ObservedStep = { tokens, seen: observation, instruction };
  const step: AttemptStep = {
    sentence: sentenceFor(shown, choices),
    sure,
    boxes: candidatesOf(tokens, choices).map(({ box }) => box),
    screen: latest(screens).pixels,
    ...(other && {
      nearly: {
        sentence: sentenceForAlternative(shown, choices, slot, other.choice),
        probability: other.probability,
      },
    }),
  };
  await episode.act(actionOf(tokens, instruction, choices));
  return step;
}

export interface Confidence {
  /** The probability of what was chosen. */
  readonly sure: number;
  /** The likeliest of the others, if it is likely at all. */
  readonly other: { readonly choice: number; readonly probability: number } | undefined;
}

export function confidenceOf(logProbabilities: Float32Array, chosen: number): Confidence {
  let other: Confidence['other'];
  for (const [choice, logarithm] of logProbabilities.entries()) {
    const probability = Math.exp(logarithm);
    if (choice !== chosen && probability > (other?.probability ?? LEAST)) other = { choice, probability };
  }
  return { sure: Math.exp(logProbabilities[chosen] ?? Number.NaN), other };
}

/** What is less likely than this was not nearly done. */
const LEAST = 0.01;

/** The same desktop; every screen that it gives is kept, as it was before the next one was drawn over it. */
function filmed(desktop: Desktop, screens: Screen[]): Desktop {
  const kept = async (next: Promise<Screen>): Promise<Screen> => {
    const screen = await next;
    const { pixels } = screen;
    screens.push({ ...screen, pixels: { ...pixels, data: pixels.data.slice() } });
    return screen;
  };
  return {
    id: desktop.id,
    ...(desktop.renderer !== undefined && { renderer: desktop.renderer }),
    reset: (task, number) => kept(desktop.reset(task, number)),
    act: action => kept(desktop.act(action)),
    query: getter => desktop.query(getter),
    setup: step => desktop.setup(step),
    judge: ending => desktop.judge(ending),
    close: () => desktop.close(),
  };
}

function latest(screens: readonly Screen[]): Screen {
  const screen = screens.at(-1);
  if (screen === undefined) throw new RangeError('The desktop was not started.');
  return screen;
}
