// What is worth imitating, found on desktops of its own: by exploring without being told anything, in hindsight of what a failed
// rollout did, from scripted solutions, and by doing what they show on other instances. It hands over lessons and keeps nothing but
// what it explores from.

import { ground } from '../agent/grounding.ts';
import type { Observation } from '../agent/observation.ts';
import type { Action } from '../core/action.ts';
import type { Clock } from '../core/clock.ts';
import { desktopId, type Seed, type TaskId } from '../core/ids.ts';
import type { Lesson, LessonStep } from '../core/lesson.ts';
import type { Mode } from '../core/policy.ts';
import type { Random } from '../core/rng.ts';
import type { Element } from '../core/screen.ts';
import { isInfeasible } from '../core/task.ts';
import type { Trajectory } from '../core/trajectory.ts';
import { isSuccess } from '../core/verdict.ts';
import { PocketDesktop } from '../environments/pocket/desktop.ts';
import { type Solution, solutionOf } from '../environments/pocket/solution.ts';
import { asksFor, sameOutcome } from '../environments/pocket/tasks/outcomes.ts';
import type { PocketSuite } from '../environments/pocket/tasks/suite.ts';
import { trainingSeeds } from '../environments/suite.ts';
import { demonstrationOf, isSolved } from './demonstration.ts';
import { Explorer } from './explore/explorer.ts';
import { lessonStepOf } from './lesson-steps.ts';
import { hindsight, outcomeAfter, type RelabelledEpisode } from './relabel/hindsight.ts';
import { type ReplayedEpisode, replayAsSamples } from './replay/replay-as-samples.ts';
import { exampleOf, transferDemo } from './transfer/demo-transfer.ts';
import { TransferSchedule } from './transfer/transfer-schedule.ts';

export interface DiscoveryOptions {
  readonly suite: PocketSuite;
  readonly tasks: readonly TaskId[];
  readonly mode: Mode;
  /** Whether single steps that name what they act on are made of what is shown. */
  readonly grounding: boolean;
  readonly hindsight: boolean;
  /** Whether what is shown is carried over to other instances. */
  readonly analogy: boolean;
  readonly found: (lesson: Lesson) => void;
  /** Of which tasks there is nothing left to find out. */
  readonly isSolved: (task: TaskId) => boolean;
  readonly clock: Clock;
  readonly random: Random;
}

const LAST_WORD: Action = { kind: 'finished', answer: '' };

export class Discovery {
  readonly #options: DiscoveryOptions;
  readonly #explorer: Explorer;
  readonly #random: Random;
  readonly #carrying: TransferSchedule;
  readonly #desktop = new PocketDesktop(desktopId('discovery'));

  constructor(options: DiscoveryOptions) {
    const { suite, tasks, random, isSolved } = options;
    this.#options = options;
    this.#random = random.fork('discovery');
    this.#carrying = new TransferSchedule(trainingSeeds(suite), random.fork('carrying'));
    this.#explorer = new Explorer(suite, tasks, random.fork('explorer'), isSolved);
  }

  /** Whether there are tasks of which nobody found out how to do what they ask for. */
  get isSearching(): boolean {
    return this.#explorer.openTasks.length > 0;
  }

  /** Steps that the explorer took. */
  get steps(): number {
    return this.#explorer.steps;
  }

  /** A moment of exploring. */
  async explore(): Promise<void> {
    for (const finding of this.#explorer.play()) await this.#keep(finding);
  }

  /**
   * A moment of carrying over what was shown; false where nothing is left to try. All is to be shown before. `rateOf` is how a task
   * fares, from 0 to 1, where somebody knows.
   */
  async transfer(rateOf: (task: TaskId) => number | undefined): Promise<boolean> {
    const attempt = this.#carrying.next(rateOf);
    if (attempt === undefined) return false;
    const { suite, mode, found } = this.#options;
    const { task: id, seed, example } = attempt;
    const task = suite.task(id, seed);
    const solution = await transferDemo(exampleOf(suite.task(id, example.seed), example.solution), task);
    if (solution === undefined) return true;
    const retold = await replayAsSamples(this.#desktop, { task, seed, mode }, [
      ...solution.actions,
      wordOf(solution),
    ]);
    if (retold === undefined || !isSolved(retold)) return true;
    this.#carrying.markSolved(attempt);
    found({ sort: 'demonstrations', kind: id, steps: stepsOf(retold) });
    return true;
  }

  /** Looks at what a rollout did, where it was not what it was asked for. */
  async relabel({ instance, outcome, steps }: Trajectory): Promise<void> {
    if (!this.#options.hindsight || outcome.kind === 'broken') return;
    if (isSuccess(outcome) || outcome.ending === 'fail') return;
    const task = this.#options.suite.task(instance.task, instance.seed);
    const acted = steps.map(({ action }) => action).filter(({ kind }) => kind !== 'finished');
    const finding = hindsight(task, instance.seed, acted);
    if (finding !== undefined) await this.#keep(finding);
  }

  /** The scripted solution of an instance, as a trajectory; undefined where it is nothing that a policy could do. */
  async demonstrate(id: TaskId, seed: Seed): Promise<Trajectory | undefined> {
    const { suite, mode, clock } = this.#options;
    const task = suite.task(id, seed);
    const startedAt = clock.now();
    const solution = solutionOf(suite, task, seed);
    const { actions } = solution;
    const word = wordOf(solution);
    if (this.#options.analogy) this.#carrying.addExample(id, seed, solution);
    const retold = await replayAsSamples(this.#desktop, { task, seed, mode }, [...actions, word]);
    if (retold === undefined || !isSolved(retold)) return undefined;
    // What was done also has a name of its own, and can be done again with other things.
    if (!isInfeasible(task)) this.#explorer.observe(task, seed, actions);
    return demonstrationOf(retold, { instance: { task: id, seed }, mode, startedAt, endedAt: clock.now() });
  }

  /** A finding under some of the ways in which it might have been asked for. */
  async #keep({ task, seed, outcome, actions }: RelabelledEpisode): Promise<void> {
    const { suite, tasks, mode, found } = this.#options;
    const ways = new Set([this.#random.int(outcome.ways.length), this.#random.int(outcome.ways.length)]);
    for (const way of ways) {
      const instruction = outcome.ways[way] ?? '';
      const options = { task: suite.task(task, seed), seed, mode, instruction };
      const retold = await replayAsSamples(this.#desktop, options, [...actions, LAST_WORD]);
      // Retelling may act a little beside what was done, and then come to something else.
      if (retold === undefined || !sameOutcome(outcome, outcomeAfter(options.task, retold.episode.actions)))
        continue;
      const sort = tasks.some(each => asksFor(each, outcome.kind)) ? 'hindsight' : 'beside';
      found({ sort, kind: outcome.kind, steps: stepsOf(retold) });
      for (const { seen, elements } of retold.views) this.#ground(seen, elements);
    }
  }

  #ground(seen: Observation, elements: readonly Element[]): void {
    const grounded = this.#options.grounding ? ground(seen, elements, this.#random) : undefined;
    if (grounded === undefined) return;
    const { kind, observation, sample } = grounded;
    this.#options.found({ sort: 'grounding', kind, steps: [lessonStepOf(observation, sample)] });
  }
}

const wordOf = ({ ending }: Solution): Action => (ending === 'fail' ? { kind: 'fail', why: '' } : LAST_WORD);

const stepsOf = ({ views, samples }: ReplayedEpisode): readonly LessonStep[] =>
  samples.flatMap((sample, index) => {
    const seen = views[index]?.seen;
    return seen === undefined ? [] : [lessonStepOf(seen, sample)];
  });
