// The runs that `Compare Runs…` offers, and how many can be compared. Pure.

import { MAX_COMPARED_RUNS } from '../../runtime/protocol/daemon/messages.ts';
import { duration, STATUS_LABELS } from '../format.ts';
import type { ListedRun } from '../runs/run-list.ts';

export interface RunChoice {
  readonly label: string;
  readonly description: string;
  readonly run: string;
  /** Chosen at first. */
  readonly picked: boolean;
}

const MIN_COMPARED_RUNS = 2;

/** At first, the run on which the command was called and the newest other one. Throws if there are too few runs. */
export function choicesOfRuns(runs: readonly ListedRun[], chosen?: string): readonly RunChoice[] {
  if (runs.length < MIN_COMPARED_RUNS)
    throw new Error(
      `A comparison needs ${MIN_COMPARED_RUNS} runs, but this folder has ${runs.length}. Train another one first.`,
    );
  const newest = runs.filter(({ run }) => run !== chosen);
  const others = chosen === undefined ? MIN_COMPARED_RUNS : 1;
  const picked = [chosen, ...newest.slice(0, others).map(({ run }) => run)];
  return runs.map(({ run, status, seconds, of }) => ({
    label: run,
    description: `${STATUS_LABELS[status]}, ${duration(seconds)}/${duration(of)}`,
    ...{ run, picked: picked.includes(run) },
  }));
}

/** The remedy for a wrong number of chosen runs. */
export const problemOfChoice = (count: number): string | undefined =>
  count >= MIN_COMPARED_RUNS && count <= MAX_COMPARED_RUNS
    ? undefined
    : `${count} ${count === 1 ? 'run is' : 'runs are'} chosen. Choose ${MIN_COMPARED_RUNS} to ${MAX_COMPARED_RUNS} runs.`;
