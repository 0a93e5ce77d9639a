// DART's curation of tasks: every task in turn, fewer visits to tasks whose results do not change, more rollouts for tasks with a low success
// rate, and a length cap based on recent successes. Each part can be disabled; without all of them it is uniform sampling.

import { at } from '../../core/at.ts';
import { oneOf } from '../../core/chance.ts';
import type { Seed, TaskId } from '../../core/ids.ts';
import { own } from '../../core/own.ts';
import type { Random } from '../../core/rng.ts';
import type { Instance } from '../../core/task.ts';
import { FAILED_EPOCHS, failedEpochsOf, samplingWeight } from './cool-down.ts';
import type { Curation, PlannedGroup } from './curation.ts';
import {
  appendResult,
  type CapOptions,
  extraExplorationOf,
  isUncapped,
  isUnchanging,
  isWorthVisiting,
  LENGTH_WINDOW,
  lengthCap,
  longestSuccess,
  RESULT_WINDOW,
  rolloutNumber,
  SELDOM,
  successes,
  successRate,
  UNCAPPED_EVERY,
} from './rules.ts';
import { isMastered, stagesOf } from './stages.ts';

/** The enabled parts. */
export interface DartParts {
  /** If false, every group has the same number of rollouts. */
  readonly rolloutNumber: boolean;
  /** If false, every round contains every task. */
  readonly revisits: boolean;
  /** If false, episodes may be as long as the task allows. */
  readonly length: boolean;
  /** If true, tasks that fail cool down and are then removed (MobileRL). False if absent. */
  readonly coolDown?: boolean;
  /** The number of stages of growing difficulty (CRAFT-GUI); one has all tasks. One if absent. */
  readonly stages?: number;
}

export const ALL_PARTS: DartParts = { rolloutNumber: true, revisits: true, length: true };
export const NO_PARTS: DartParts = { rolloutNumber: false, revisits: false, length: false };

export interface DartOptions {
  readonly tasks: readonly TaskId[];
  /** Seeds of the training instances of a task. */
  readonly seedsOf: (task: TaskId) => readonly Seed[];
  readonly maxStepsOf: (instance: Instance) => number;
  /** Rollouts of an instance with a low or unknown success rate. */
  readonly rollouts: number;
  /** Share of random decisions of a rollout. */
  readonly exploration: number;
  /** The share in every second rollout of an instance that was never solved, while its task never succeeds. It falls with the success rate. */
  readonly extraExploration: number;
  /** A task that fails keeps all its visits for so many rollouts; 0 for as many as make it unchanging. */
  readonly patience?: number;
  readonly parts: DartParts;
  readonly caps?: CapOptions;
}

/** The floor of 6 steps: instances of a task differ by a step or two, and shorter tasks gain little from a cap. */
export const DEFAULT_CAPS: CapOptions = { margin: 1.25, floor: 6 };

export interface DartState {
  /** Recent results of each task, latest last. */
  readonly results: Readonly<Record<string, readonly boolean[]>>;
  /** Remaining tasks of this round. */
  readonly round: readonly TaskId[];
  readonly rounds: number;
  /** Instances that were solved at least once. */
  readonly solved: Readonly<Record<string, true>>;
  /** Steps of the recent results of each task, 0 for a failure. Absent in runs that predate length caps. */
  readonly lengths?: Readonly<Record<string, readonly number[]>>;
  /** Failures of each task since its last success. Absent in runs that predate patience. */
  readonly failures?: Readonly<Record<string, number>>;
  /** Groups of each task that were ordered since its first recent success. */
  readonly capped?: Readonly<Record<string, number>>;
  /** The round in which the cool-down of a failing task began. Absent without cool-downs. */
  readonly cooling?: Readonly<Record<string, number>>;
  /** The last open stage, from 0. Absent before the second one opens. */
  readonly stage?: number;
}

export function dartCuration(options: DartOptions): Curation<DartState> {
  const { tasks, seedsOf, maxStepsOf, parts, patience = 0, rollouts } = options;
  const { stages = 1 } = parts;
  const limitOf = (task: TaskId) => Math.max(0, ...seedsOf(task).map(seed => maxStepsOf({ task, seed })));
  const stageOf = stages > 1 ? stagesOf(tasks, limitOf, stages) : undefined;
  const openTasks = (stage = 0): readonly TaskId[] =>
    stageOf === undefined ? tasks : tasks.filter(task => (stageOf.get(task) ?? 0) <= stage);
  /** Offsets, so that unchanging tasks do not all come in the same round. */
  const offsets = new Map(tasks.map((task, index) => [task, index]));

  /** The next task and the rest of the round; undefined without tasks. */
  function nextTask({ results, failures, cooling, ...state }: DartState, random: Random) {
    let { round, rounds } = state;
    const open = openTasks(state.stage);
    let drawn:
      | { readonly task: TaskId; readonly round: readonly TaskId[]; readonly rounds: number }
      | undefined;
    // This number of draws reaches every task, even if all are unchanging.
    for (let left = SELDOM * open.length + round.length; left > 0; left--) {
      if (round.length === 0) [round, rounds] = [open, rounds + 1];
      const place = random.int(round.length);
      const task = at(round, place);
      round = round.toSpliced(place, 1);
      const offset = offsets.get(task);
      // The round of a resumed run can name a task that this suite no longer has.
      if (offset === undefined) continue;
      drawn = { task, round, rounds };
      const isVisited =
        !parts.revisits ||
        isWorthVisiting(own(results, task) ?? [], rounds + offset, own(failures, task) ?? 0, patience);
      const keepsVisit = (since: number) =>
        random.next() < samplingWeight(failedEpochsOf(own(failures, task) ?? 0, rollouts), rounds - since);
      const since = parts.coolDown === true ? own(cooling, task) : undefined;
      if (isVisited && (since === undefined || keepsVisit(since))) return drawn;
    }
    // The last one drawn is played in any case: with all tasks removed, the run would wait for ever.
    return drawn;
  }

  return {
    start: () => ({ results: {}, round: [], rounds: 0, solved: {}, lengths: {}, capped: {} }),

    next(state, random) {
      const found = nextTask(state, random);
      if (found === undefined) return undefined;
      const { task, ...left } = found;
      const seed = oneOf(random, seedsOf(task));
      if (seed === undefined)
        throw new RangeError(
          `The task ${task} has no training seeds. Add at least one seed to the configuration.`,
        );
      const planned = plan(options, state, { task, seed });
      return { state: { ...state, ...left, ...countedGroup(state, task, parts) }, planned };
    },

    observe(state, { instance, success, steps }) {
      const { task } = instance;
      const key = solvedKey(instance);
      const isNew = success && state.solved[key] === undefined;
      const solved = isNew ? { ...state.solved, [key]: true as const } : state.solved;
      const results = { ...state.results, [task]: appendResult(own(state.results, task) ?? [], success) };
      const last = appendResult(lengthsOf(state, task), success ? steps : 0, LENGTH_WINDOW);
      const failures = { ...state.failures, [task]: success ? 0 : (own(state.failures, task) ?? 0) + 1 };
      const observed = { ...state, solved, results, failures, lengths: { ...state.lengths, [task]: last } };
      const cooled = parts.coolDown === true ? withCoolDown(observed, task, rollouts) : observed;
      return stageOf === undefined ? cooled : withStage(cooled, stageOf, stages);
    },

    rates: state =>
      Object.fromEntries(
        tasks.flatMap(task => {
          const rate = successRate(own(state.results, task) ?? []);
          return rate === undefined ? [] : [[task, rate] as const];
        }),
      ),
  };
}

/** Notes the round in which the cool-down of a task begins; a success ends it. */
function withCoolDown(state: DartState, task: string, rollouts: number): DartState {
  const since = own(state.cooling, task) ?? state.rounds;
  const { [task]: _, ...others } = state.cooling ?? {};
  const isCooling = failedEpochsOf(own(state.failures, task) ?? 0, rollouts) >= FAILED_EPOCHS;
  return { ...state, cooling: isCooling ? { ...others, [task]: since } : others };
}

/** Opens the next stage once the tasks of the last open one succeed often enough. Stages never close. */
function withStage(state: DartState, stageOf: ReadonlyMap<TaskId, number>, stages: number): DartState {
  const { stage = 0, results } = state;
  const last = [...stageOf].filter(([, of]) => of === stage).map(([task]) => own(results, task) ?? []);
  return stage + 1 < stages && isMastered(last) ? { ...state, stage: stage + 1 } : state;
}

/** Plans one group: rollout number, length cap, exploration and reason. */
function plan(
  {
    maxStepsOf,
    rollouts: fullNumber,
    exploration,
    extraExploration,
    parts,
    caps = DEFAULT_CAPS,
  }: DartOptions,
  state: DartState,
  instance: Instance,
): PlannedGroup {
  const { task } = instance;
  const results = own(state.results, task) ?? [];
  const rate = successRate(results) ?? 0;
  const rollouts = parts.rolloutNumber ? rolloutNumber(rate, fullNumber) : fullNumber;
  const taskLimit = maxStepsOf(instance);
  const longest = parts.length ? longestSuccess(lengthsOf(state, task)) : undefined;
  const isUncappedGroup = isUncapped((own(state.capped, task) ?? 0) + 1);
  const maxSteps = longest === undefined || isUncappedGroup ? taskLimit : lengthCap(longest, taskLimit, caps);
  const extra = extraExplorationOf(rate, extraExploration);
  const isExploring = extra > exploration && state.solved[solvedKey(instance)] === undefined;
  const why = [
    parts.revisits && isUnchanging(results)
      ? `revisit: the last ${RESULT_WINDOW} rollouts all ${results.at(-1) === true ? 'succeeded' : 'failed'}`
      : 'next task of the round',
    `${rollouts} rollouts${parts.rolloutNumber ? numberReason(results) : ', as in every group'}`,
    `at most ${maxSteps} steps (${lengthReason(longest, isUncappedGroup, maxSteps < taskLimit)})`,
    ...(isExploring
      ? [`more exploration in every second rollout (${percent(extra)}): this instance was never solved`]
      : []),
  ].join('; ');
  return { instance, rollouts, maxSteps, why, ...(isExploring && { extraExploration: extra }) };
}

const numberReason = (results: readonly boolean[]): string =>
  results.length === 0
    ? ': no results yet'
    : `: ${successes(results)} of the last ${results.length} succeeded`;

/** `longest` is 0 without a recent success, and undefined if length caps are disabled. */
function lengthReason(longest: number | undefined, isUncappedGroup: boolean, isCapped: boolean): string {
  const limit = 'limit of the task';
  if (longest === undefined) return limit;
  if (longest === 0) return `${limit}: no recent success`;
  if (isUncappedGroup) return `${limit}: one group in ${UNCAPPED_EVERY} has no cap`;
  return `${isCapped ? 'cap' : limit}: the longest recent success took ${longest}`;
}

/** Counts only groups that a cap can apply to, so that the eighth of them is the first without a cap. */
function countedGroup(state: DartState, task: string, { length }: DartParts): Pick<DartState, 'capped'> {
  if (!length || longestSuccess(lengthsOf(state, task)) === 0) return {};
  return { capped: { ...state.capped, [task]: (own(state.capped, task) ?? 0) + 1 } };
}

const percent = (share: number): string => `${Math.round(100 * share)} %`;

const lengthsOf = ({ lengths }: DartState, task: string): readonly number[] => own(lengths, task) ?? [];

const solvedKey = ({ task, seed }: Instance): string => `${task} ${seed}`;
