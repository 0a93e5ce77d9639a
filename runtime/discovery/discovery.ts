// Finds lessons to imitate on a pocket desktop of its own: explores, relabels failed rollouts in hindsight, demonstrates scripted
// solutions, and transfers them to other instances.

import type { Action } from '../core/action.ts';
import type { Clock } from '../core/clock.ts';
import { desktopId, type Seed, type TaskId } from '../core/ids.ts';
import type { DemonstrationAuthor, Lesson } from '../core/lesson.ts';
import type { Mode } from '../core/policy.ts';
import type { Random } from '../core/rng.ts';
import { type Instance, isInfeasible } from '../core/task.ts';
import type { Trajectory } from '../core/trajectory.ts';
import { isSuccess } from '../core/verdict.ts';
import { PocketDesktop } from '../environments/pocket/desktop.ts';
import { asksFor, sameOutcome } from '../environments/pocket/tasks/outcomes.ts';
import type { PocketSuite } from '../environments/pocket/tasks/suite.ts';
import { type Solution, solutionOf } from '../environments/pocket/tasks/suite.ts';
import { trainingSeeds } from '../environments/suite.ts';
import { demonstrationOf, isSolved } from './demonstration.ts';
import { Explorer } from './explore/explorer.ts';
import { groundingLessons, lessonStepOf } from './lesson-steps.ts';
import { hindsight, outcomeAfter, type RelabelledEpisode } from './relabel/hindsight.ts';
import { replayAsSamples } from './replay/replay-as-samples.ts';
import { exampleOf, transferDemo } from './transfer/demo-transfer.ts';
import { TransferSchedule } from './transfer/transfer-schedule.ts';

export interface DiscoveryOptions {
  readonly suite: PocketSuite;
  readonly tasks: readonly TaskId[];
  readonly mode: Mode;
  /** Whether findings also become single steps whose instruction names an element. */
  readonly grounding: boolean;
  readonly hindsight: boolean;
  /** Whether demonstrations are transferred to other instances. */
  readonly analogy: boolean;
  /** Whether exploring actions are chosen by the new states that they lead to. */
  readonly novelty: boolean;
  readonly found: (lesson: Lesson) => void;
  /** The success rate of a task from 0 to 1, if known. */
  readonly rateOf: (task: TaskId) => number | undefined;
  readonly clock: Clock;
  readonly random: Random;
}

const FINISHED: Action = { kind: 'finished', answer: '' };
/** Tasks above this success rate need no exploration. */
const SOLVED_RATE = 0.3;

export class Discovery {
  readonly #options: DiscoveryOptions;
  readonly #explorer: Explorer;
  readonly #random: Random;
  readonly #transfers: TransferSchedule;
  readonly #desktop = new PocketDesktop(desktopId('discovery'));

  constructor(options: DiscoveryOptions) {
    const { suite, tasks, random, rateOf, novelty } = options;
    const isLearned = (task: TaskId) => (rateOf(task) ?? 0) > SOLVED_RATE;
    this.#options = options;
    this.#random = random.fork('discovery');
    this.#transfers = new TransferSchedule(trainingSeeds(suite), random.fork('carrying'));
    this.#explorer = new Explorer(suite, tasks, random.fork('explorer'), { isSolved: isLearned, novelty });
  }

  /** Whether some task has neither successes nor findings. */
  get isSearching(): boolean {
    return this.#explorer.openTasks.length > 0;
  }

  /** The number of exploration steps. */
  get steps(): number {
    return this.#explorer.steps;
  }

  /** Tries a transfer while one is open, since its instruction is certain to fit; otherwise explores. */
  async exploreOnce(): Promise<void> {
    if (!(await this.transfer())) await this.explore();
  }

  /** One play of the explorer. */
  async explore(): Promise<void> {
    for (const finding of this.#explorer.play()) await this.#keep(finding);
  }

  /** Tries a demonstration on another instance; false when none is left to try. Called after all demonstrations. */
  async transfer(): Promise<boolean> {
    const { suite, mode, found, rateOf } = this.#options;
    const attempt = this.#transfers.next(rateOf);
    if (attempt === undefined) return false;
    const { task: id, seed, example } = attempt;
    const task = suite.task(id, seed);
    const solution = await transferDemo(exampleOf(suite.task(id, example.seed), example.solution), task);
    if (solution === undefined) return true;
    const actions = [...solution.actions, lastActionOf(solution)];
    const replayed = await replayAsSamples(this.#desktop, { task, seed, mode }, actions);
    if (replayed === undefined || !isSolved(replayed)) return true;
    this.#transfers.markSolved(attempt);
    found({
      ...{ sort: 'demonstrations', kind: id, transferredFrom: example.author },
      steps: replayed.steps.map(lessonStepOf),
    });
    return true;
  }

  /** Transfers all demonstrations again. */
  repeatTransfers(): void {
    this.#transfers.restart();
  }

  /** Hindsight: relabels a rollout that missed its instruction with an instruction that fits what it did. */
  async relabel({ instance, outcome, steps }: Trajectory): Promise<void> {
    if (!this.#options.hindsight || outcome.kind === 'broken') return;
    if (isSuccess(outcome) || outcome.ending === 'fail') return;
    const task = this.#options.suite.task(instance.task, instance.seed);
    const acted = steps.map(({ action }) => action).filter(({ kind }) => kind !== 'finished');
    const finding = hindsight(task, instance.seed, acted);
    if (finding !== undefined) await this.#keep(finding);
  }

  /** The scripted solution of an instance as a trajectory; undefined if a policy cannot express it. */
  async demonstrate(id: TaskId, seed: Seed): Promise<Trajectory | undefined> {
    const { suite, mode, clock } = this.#options;
    const task = suite.task(id, seed);
    const startedAt = clock.now();
    const solution = solutionOf(suite, task, seed);
    this.#addExample({ task: id, seed }, solution, 'script');
    const all = [...solution.actions, lastActionOf(solution)];
    const replayed = await replayAsSamples(this.#desktop, { task, seed, mode }, all);
    if (replayed === undefined || !isSolved(replayed)) return undefined;
    this.#vary({ task: id, seed }, solution);
    return demonstrationOf(replayed, { instance: { task: id, seed }, mode, startedAt, endedAt: clock.now() });
  }

  /** A demonstration by a person, whose replay succeeded. It is transferred and varied like a scripted one. */
  observe({ instance, steps, outcome }: Trajectory): void {
    if (!this.#options.tasks.includes(instance.task)) return;
    if (outcome.kind === 'broken' || outcome.ending === 'capped') return;
    const { ending } = outcome;
    const actions = steps
      .map(({ action }) => action)
      .filter(({ kind }) => kind !== 'finished' && kind !== 'fail');
    this.#addExample(instance, { actions, ending }, 'person');
    this.#vary(instance, { actions, ending });
  }

  #addExample({ task, seed }: Instance, solution: Solution, author: DemonstrationAuthor): void {
    if (this.#options.analogy) this.#transfers.addExample(task, { seed, solution, author });
  }

  /** The explorer varies it with other elements and words. */
  #vary({ task: id, seed }: Instance, { actions }: Solution): void {
    const task = this.#options.suite.task(id, seed);
    if (!isInfeasible(task)) this.#explorer.observe(task, seed, actions);
  }

  /** Hands over a finding under up to two of the instructions that ask for it. */
  async #keep({ task, seed, outcome, actions }: RelabelledEpisode): Promise<void> {
    const { suite, tasks, mode, found } = this.#options;
    const ways = new Set([this.#random.int(outcome.ways.length), this.#random.int(outcome.ways.length)]);
    for (const way of ways) {
      const known = outcome.ways[way];
      if (known === undefined) continue;
      const instruction = suite.phrase(known, this.#random);
      const options = { task: suite.task(task, seed), seed, mode, instruction };
      const replayed = await replayAsSamples(this.#desktop, options, [...actions, FINISHED]);
      // A replayed click hits the centre of its element, so the outcome may differ.
      if (
        replayed === undefined ||
        !sameOutcome(outcome, outcomeAfter(options.task, replayed.episode.actions))
      )
        continue;
      const sort = tasks.some(each => asksFor(each, outcome.kind)) ? 'hindsight' : 'beside';
      found({ sort, kind: outcome.kind, steps: replayed.steps.map(lessonStepOf) });
      if (this.#options.grounding) groundingLessons(replayed.steps, this.#random).forEach(found);
    }
  }
}

const lastActionOf = ({ ending }: Solution): Action =>
  ending === 'fail' ? { kind: 'fail', why: '' } : FINISHED;
