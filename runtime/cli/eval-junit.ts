// The result of an evaluation as a JUnit file: a suite per tier, a case per task. A case fails if a judged instance failed; broken
// instances alone make it an error.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { version } from '../../package.json';
import { evaluationReport } from '../collect/evaluation-report.ts';
import { messageOf } from '../core/errors.ts';
import type { TaskEvaluation } from '../data/evaluation.ts';
import { clustered, type Interval, type SuccessTally, wilson } from '../data/interval.ts';
import type { Suite } from '../environments/suite.ts';
import type { EpisodeResult } from '../protocol/daemon/episode-result.ts';
import { type DesktopKind, KIND_TITLES } from '../protocol/desktop-kinds.ts';
import {
  describeEpisode,
  EMPTY_TALLY,
  type EvaluationEnd,
  type InstanceTally,
  type TaskVerdict,
  verdictOfTask,
  withEpisode,
} from '../protocol/task-verdict.ts';
import { tierTitle } from '../protocol/tiers.ts';
import { type JunitCase, type JunitReport, type JunitResult, junitXml } from './junit.ts';

/** The part that evaluations of an agent and of saved weights share. */
export interface JunitEvaluation {
  readonly kind: DesktopKind;
  readonly suite: Pick<Suite, 'template'>;
  /** The instances of each task. */
  readonly instances: number;
  readonly startedAt: number;
  readonly end: EvaluationEnd;
  /** The agent, its weights, the split and the seed. */
  readonly about: Readonly<Record<string, string | number | undefined>>;
  readonly tasks: readonly JunitTask[];
}

interface JunitTask {
  readonly task: string;
  readonly tally: InstanceTally;
  /** Absent if the evaluation stores no trajectories. */
  readonly episodes?: readonly EpisodeResult[];
}

/** `planned`: every task of the evaluation, also those without an episode. */
export function junitTasksOfEpisodes(
  planned: readonly string[],
  instances: number,
  episodes: readonly EpisodeResult[],
): readonly JunitTask[] {
  const played = new Map<string, EpisodeResult[]>(planned.map(task => [task, []]));
  for (const episode of episodes) played.get(episode.task)?.push(episode);
  return [...played].map(([task, own]) => {
    const empty: InstanceTally = { ...EMPTY_TALLY, planned: instances };
    const sorted = own.toSorted((a, b) => a.seed - b.seed);
    return { task, tally: sorted.reduce(withEpisode, empty), episodes: sorted };
  });
}

/** Saved weights are evaluated without trajectories: only the numbers of instances are known. */
export const junitTasksOfScores = (
  instances: number,
  scores: readonly TaskEvaluation[],
): readonly JunitTask[] =>
  scores.map(({ task, successes, trials, broken }) => ({
    task,
    tally: { planned: instances, succeeded: successes, failed: trials - successes, broken },
  }));

export function junitReport(evaluation: JunitEvaluation): JunitReport {
  const { kind, suite, startedAt, about, tasks } = evaluation;
  const tiers = new Map<number, JunitTask[]>();
  for (const task of tasks) {
    const { tier } = suite.template(task.task);
    tiers.set(tier, [...(tiers.get(tier) ?? []), task]);
  }
  const suites = [...tiers]
    .sort(([a], [b]) => a - b)
    .map(([tier, own]) => ({
      name: `${KIND_TITLES[kind]}, ${tierTitle(tier).toLowerCase()}`,
      startedAt,
      properties: {
        ...{ 'dartboard.version': version, desktops: kind, tier, ...about },
        ...figuresOf(clustered(own.map(({ tally }) => trialsOf(tally)))),
      },
      cases: own.map(task => caseOf(task, `${kind}.tier${tier}`, evaluation.end)),
    }));
  return { name: 'dartboard eval', suites };
}

const trialsOf = ({ succeeded, failed }: InstanceTally): SuccessTally => ({
  successes: succeeded,
  trials: succeeded + failed,
});

/** Without trials there is no rate, and the interval contains every rate. */
const figuresOf = ({ successes, trials, rate, low, high }: Interval): JunitCase['properties'] => ({
  ...{ successes, trials, rate: trials === 0 ? undefined : rounded(rate) },
  ...{ low: rounded(low), high: rounded(high) },
});

const rounded = (share: number): string => share.toFixed(4);

function caseOf({ task, tally, episodes }: JunitTask, className: string, end: EvaluationEnd): JunitCase {
  const reason = episodes?.flatMap(({ outcome }) => (outcome.kind === 'broken' ? [outcome.message] : []))[0];
  const steps = episodes && evaluationReport(episodes).steps;
  return {
    ...{ className, name: task },
    seconds: episodes && episodes.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000,
    properties: {
      ...{ instances: tally.planned, ...figuresOf(wilson(trialsOf(tally))), broken: tally.broken },
      'mean-steps': steps === undefined ? undefined : steps.toFixed(2),
    },
    result: resultOf(verdictOfTask(tally, end, reason), episodes),
  };
}

function resultOf(verdict: TaskVerdict, episodes: readonly EpisodeResult[] | undefined): JunitResult {
  if (verdict.kind === 'passed' || verdict.kind === 'skipped') return verdict;
  const unsolved = episodes?.filter(({ outcome }) => outcome.kind === 'broken' || !outcome.success);
  const details =
    unsolved?.map(episode => `${describeEpisode(episode)}; trajectory ${episode.trajectory}`).join('\n') ??
    "'dartboard eval --agent compact' evaluates the same weights, stores the trajectories and lists the instances.";
  return verdict.kind === 'failed'
    ? { ...verdict, kind: 'failure', type: 'unsolved', details }
    : { ...verdict, kind: 'error', type: 'broken', details };
}

/** Empties the file: a command that fails later leaves no old result, and an evaluation never ends at a folder that is read-only. */
export async function prepareJunit(folder: string, file: string): Promise<void> {
  await write(folder, file, '');
}

export const writeJunit = (folder: string, file: string, evaluation: JunitEvaluation): Promise<void> =>
  write(folder, file, junitXml(junitReport(evaluation)));

async function write(folder: string, file: string, text: string): Promise<void> {
  const path = resolve(folder, file);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  } catch (error) {
    throw new Error(
      `--junit '${file}' cannot be written (${messageOf(error)}). Give a file in a folder that this user can write to.`,
      { cause: error },
    );
  }
}
