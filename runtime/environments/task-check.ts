// Checks a task of a user by playing its scripts: the solution must score 1 within the step limit, and doing nothing and every near miss
// must score 0. A solution without one of its steps should fail too. If it does not, the step is not needed, or the evaluator does not
// look at what it changes.

import { messageOf, sentenceOf } from '../core/errors.ts';
import { BoundaryError } from '../core/failure.ts';
import type { Seed } from '../core/ids.ts';
import { SUCCESS, type Verdict } from '../core/verdict.ts';

export interface PlayedScript extends Pick<Verdict, 'score' | 'why'> {
  /** As the step limit counts them, so with a `fail` at the end. */
  readonly actions: number;
}

/** Plays a script from the start of an instance. Rejects if a step finds no such element. */
export type PlayScript = () => Promise<PlayedScript>;

/** The scripts of one instance. */
export interface TaskScripts {
  readonly maxSteps: number;
  readonly solution: PlayScript;
  readonly nothing: PlayScript;
  readonly misses: Readonly<Record<string, PlayScript>>;
  /** The solution without one step, for each step that acts. Empty for an infeasible task, whose evaluator looks at nothing. */
  readonly shortened: () => readonly ShortenedScript[];
}

export interface ShortenedScript {
  /** The step that is left out, counted from 1, and as JSON. */
  readonly step: number;
  readonly text: string;
  readonly play: PlayScript;
}

export interface CheckableTask {
  readonly id: string;
  readonly file: string;
  /** Throws for an instance that cannot be made. */
  scripts(seed: Seed): TaskScripts;
}

type LeftOutStep = Omit<ShortenedScript, 'play'>;

export interface TaskCheck {
  readonly id: string;
  readonly file: string;
  /** The number of instances. */
  readonly instances: number;
  /** Problems, each with its instance. Until these are mended the task must not train. */
  readonly faults: readonly string[];
  /** Steps without which every instance still scores 1. */
  readonly unneeded: readonly LeftOutStep[];
}

/** Rejects with a BoundaryError if a desktop fails, and with the reason of the signal. */
export async function checkTask(
  { id, file, scripts }: CheckableTask,
  seeds: readonly Seed[],
  signal?: AbortSignal,
): Promise<TaskCheck> {
  const faults: string[] = [];
  let unneeded: readonly LeftOutStep[] | undefined;
  for (const seed of seeds) {
    let all: TaskScripts;
    try {
      all = scripts(seed);
    } catch (error) {
      faults.push(`instance ${seed}: ${messageOf(error)}`);
      continue;
    }
    const found = await faultsOf(all, signal);
    faults.push(...found.map(fault => `instance ${seed}: ${fault}`));
    // Without a solution that scores 1, a part of it says nothing.
    if (found.length === 0) unneeded = await unneededIn(all.shortened(), unneeded, signal);
  }
  return { id, file, instances: seeds.length, faults, unneeded: unneeded ?? [] };
}

/** The problems of the solution and of the near misses of an instance. */
export async function faultsOf(
  { maxSteps, solution, nothing, misses }: TaskScripts,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const faults: string[] = [];
  const solved = await played(solution, signal);
  if ('error' in solved) faults.push(`the solution cannot be played: ${solved.error}`);
  else if (solved.score < SUCCESS) faults.push(`the solution scores ${solved.score}: ${solved.why}`);
  else if (solved.actions > maxSteps)
    faults.push(
      `the solution takes ${solved.actions} actions, but an episode has at most ${maxSteps}. Increase max_steps.`,
    );
  for (const [name, play] of Object.entries({ 'doing nothing': nothing, ...misses })) {
    const missed = await played(play, signal);
    if ('error' in missed) faults.push(`'${name}' cannot be played: ${missed.error}`);
    else if (missed.score !== 0) faults.push(`'${name}' scores ${missed.score} and not 0: ${missed.why}`);
  }
  return faults;
}

/** Of the steps that earlier instances did not need; of all in the first instance. */
async function unneededIn(
  shortened: readonly ShortenedScript[],
  earlier: readonly LeftOutStep[] | undefined,
  signal: AbortSignal | undefined,
): Promise<readonly LeftOutStep[]> {
  const unneeded: LeftOutStep[] = [];
  for (const { step, text, play } of shortened) {
    if (earlier?.some(each => each.step === step) === false) continue;
    const result = await played(play, signal);
    // A step whose element is missing needs the step that was left out.
    if (!('error' in result) && result.score >= SUCCESS) unneeded.push({ step, text });
  }
  return unneeded;
}

async function played(
  play: PlayScript,
  signal: AbortSignal | undefined,
): Promise<PlayedScript | { readonly error: string }> {
  signal?.throwIfAborted();
  try {
    return await play();
  } catch (error) {
    // A desktop that fails says nothing about the task.
    if (error instanceof BoundaryError && error.failure.boundary !== 'task') throw error;
    return { error: sentenceOf(error) };
  }
}

/** The script without each of its steps in turn. */
export const withoutEach = <Step>(
  script: readonly Step[],
): readonly (LeftOutStep & { readonly rest: readonly Step[] })[] =>
  script.map((left, index) => ({
    step: index + 1,
    text: JSON.stringify(left),
    rest: script.filter((_, other) => other !== index),
  }));
