// Makes a demonstration from the steps of a person: replays the steps that are kept, and describes what the result is good for.

import type { Action } from '../core/action.ts';
import type { Desktop } from '../core/desktop.ts';
import { type TrajectoryId, trajectoryId } from '../core/ids.ts';
import type { Mode } from '../core/policy.ts';
import type { Step } from '../core/step.ts';
import type { Instance, Task } from '../core/task.ts';
import type { Frames, Trajectory } from '../core/trajectory.ts';
import type { Outcome } from '../core/verdict.ts';
import { replayAsSamples } from '../discovery/replay/replay-as-samples.ts';
import type { PersonDesktop } from './person-desktop.ts';
import { replayActions, replayDemonstration } from './replay.ts';
import { firstByPerson, inWords, type PersonStep } from './steps.ts';

/** A success of a recording. */
export interface PersonDemonstration {
  readonly trajectory: Trajectory;
  /** The steps to learn from, `to` exclusive: those from the person's first one on, if an agent acted before. All steps if absent. */
  readonly taught?: { readonly from: number; readonly to: number };
  /** The person's own instruction, and their word that it was done. */
  readonly own?: string;
  /** For the person: what it is good for. */
  readonly note: string;
}

export interface DemonstrationParts {
  readonly task: Task;
  readonly instance: Instance;
  /** Of the instance. */
  readonly instruction: string;
  /** The person's own instruction. */
  readonly own?: string;
  readonly mode: Mode;
  readonly maxSteps: number;
  readonly who: string;
  readonly steps: readonly PersonStep[];
  /** The numbers of superfluous steps. */
  readonly drop: ReadonlySet<number>;
  readonly outcome: Outcome;
  readonly person: PersonDesktop;
  readonly startedAt: number;
  readonly endedAt: number;
}

export type MadeDemonstration = PersonDemonstration | { readonly problem: string };

interface ProvenSteps extends Pick<Trajectory, 'steps' | 'frames' | 'outcome'> {
  readonly note: string;
  /** The step of the recording that each step performs. */
  readonly sources: readonly Pick<PersonStep, 'by'>[];
}

/** `desktop` starts the instance again: what the person saw last is gone. */
export async function demonstrationFrom(
  desktop: Desktop,
  parts: DemonstrationParts,
): Promise<MadeDemonstration> {
  const { own } = parts;
  const proven = own === undefined ? await provenSteps(desktop, parts) : await ownSteps(desktop, parts, own);
  if ('problem' in proven) return proven;
  const { note, sources, ...played } = proven;
  const { instance, instruction, mode, maxSteps, who, startedAt, endedAt } = parts;
  const trajectory: Trajectory = {
    ...{
      id: idOf('human', instance, startedAt),
      instance,
      instruction,
      purpose: 'demonstrate',
      mode,
      maxSteps,
    },
    ...{ provenance: { kind: 'human', who }, ...played, startedAt, endedAt },
  };
  const from = firstByPerson(sources);
  const kept = { trajectory, ...(own !== undefined && { own }) };
  if (from <= 0) return { ...kept, note };
  const about = `The steps of the agent before yours are never imitated: step ${from + 1} is the first one that counts.`;
  return { ...kept, taught: { from, to: sources.length }, note: `${note} ${about}` };
}

async function provenSteps(
  desktop: Desktop,
  parts: DemonstrationParts,
): Promise<ProvenSteps | { readonly problem: string }> {
  const { task, instance, mode, drop } = parts;
  const kept = keptActions(parts);
  const instanceToPlay = { task, seed: instance.seed, mode };
  // A move of the pointer is often superfluous, and the built-in policy has none.
  const withoutMoves = kept.filter(({ action }) => action.kind !== 'move');
  const ways = withoutMoves.length === kept.length ? [kept] : [withoutMoves, kept];
  // A program may be faster than it was for the person: then the change for which they waited is already on the screen.
  const prompt = kept.filter(({ awaitsChange }) => awaitsChange !== true);
  if (prompt.length < kept.length) ways.push(prompt);
  // A program may need a moment that a person leaves it anyway.
  if (desktop.renderer === undefined) ways.push(unhurried(kept));
  for (const actions of ways) {
    const replay = await replayDemonstration(desktop, instanceToPlay, actions);
    if (replay === undefined) continue;
    const { steps, frames, end, isLearnable, sources } = replay;
    return {
      ...{ steps, frames, sources },
      outcome: { kind: 'judged', ...end },
      note: isLearnable ? LEARNED : NOT_EXPRESSED,
    };
  }
  if (drop.size > 0)
    return {
      problem: `Without ${drop.size === 1 ? 'this step' : `these ${drop.size} steps`} the task is not solved on a fresh desktop. Keep more steps, and save again.`,
    };
  if (desktop.renderer !== undefined)
    return { problem: 'Its steps did not solve the task on a fresh desktop. Start over.' };
  return { ...(await asDone(parts)), note: NOT_REPEATED };
}

/** Only the person can judge it, so a replay proves trimmed steps only if it ends with the same screen. */
async function ownSteps(
  desktop: Desktop,
  parts: DemonstrationParts,
  own: string,
): Promise<ProvenSteps | { readonly problem: string }> {
  const { task, instance, mode, drop, steps } = parts;
  const start = { task, seed: instance.seed };
  const { renderer } = desktop;
  if (renderer === undefined) {
    if (drop.size === 0) return { ...(await asDone(parts)), note: OWN_NOT_REPLAYED };
    return {
      problem:
        'These desktops do not repeat exactly, so steps cannot be removed from your own instruction. Keep all steps, and save again.',
    };
  }
  const kept = keptActions(parts);
  const whole = await replayActions(desktop, start, steps);
  const trimmed = await replayActions(desktop, start, kept);
  if (whole === undefined || trimmed === undefined || Buffer.compare(whole.pixels, trimmed.pixels) !== 0)
    return {
      problem: 'Without these steps the desktop ends in another state. Keep more steps, and save again.',
    };
  const expressed = await replayAsSamples(
    desktop,
    { ...start, mode, instruction: own },
    kept.map(({ action }) => action),
  );
  return {
    ...{ steps: trimmed.steps, frames: trimmed.frames, sources: trimmed.sources },
    outcome: { kind: 'judged', ...trimmed.end },
    note: expressed === undefined ? NOT_EXPRESSED : LEARNED,
  };
}

/** With a wait before each step but the first. */
const unhurried = (steps: readonly PersonStep[]): readonly PersonStep[] =>
  steps.flatMap((step, index) => {
    const { frame, by } = step;
    const wait: PersonStep = { action: { kind: 'wait' }, frame, says: 'wait', ...(by && { by }) };
    return index === 0 ? [step] : [wait, step];
  });

function keptActions({ steps, drop, outcome, person }: DemonstrationParts): readonly PersonStep[] {
  const kept = steps.filter((_, index) => !drop.has(index));
  if (outcome.kind !== 'judged' || outcome.ending !== 'capped') return kept;
  // The step limit of the agent ended the episode before it reported the end.
  const action: Action = { kind: 'finished', answer: '' };
  return [...kept, { action, frame: person.frame, says: inWords(action, []), by: 'agent' }];
}

/** The steps and the screens as the person saw them. */
async function asDone({ steps, person, outcome }: DemonstrationParts): Promise<Omit<ProvenSteps, 'note'>> {
  const frames = await framesOf(steps, person);
  return {
    ...{ steps: steps.map(({ action }): Step => ({ action, meant: [] })), frames },
    ...{ outcome, sources: steps },
  };
}

/** The screens as the person saw them. */
export async function framesOf(steps: readonly PersonStep[], person: PersonDesktop): Promise<Frames> {
  const pictures = [...steps.map(({ frame }) => frame), person.lastPictured];
  return { kind: 'png', images: await Promise.all(pictures.map(frame => person.pictureOf(frame).png)) };
}

const LEARNED = 'The built-in policy learns from it.';
const NOT_EXPRESSED =
  'The built-in policy does not learn from it: it cannot express a step, such as a text that neither the instruction nor the screen contains. Exports of demonstrations contain it.';
export const NOT_REPEATED =
  'It is saved as you did it: these desktops do not repeat exactly, and a replay did not solve the task. The built-in policy does not learn from it. Exports of demonstrations contain it.';
const OWN_NOT_REPLAYED =
  'The built-in policy does not learn from your own instruction on these desktops. Exports of demonstrations contain it.';

/** Unique per start. */
export const idOf = (by: 'human' | 'live', { task, seed }: Instance, startedAt: number): TrajectoryId =>
  trajectoryId(
    `${by}-${task.replaceAll(/[^\w.-]/g, '-').slice(0, 60)}-${seed}-${Math.trunc(startedAt).toString(36)}`,
  );
