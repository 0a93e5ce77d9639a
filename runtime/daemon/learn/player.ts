// The side that acts: explores without being told, plays tasks in groups, and finds out in hindsight what a failed rollout did.
// It hands over what can be learned from, and is given new weights from time to time.

import type { Action } from '../../contracts/action.ts';
import { desktopId, type Seed, type TaskId } from '../../contracts/ids.ts';
import type { Mode } from '../../contracts/policy.ts';
import type { Element } from '../../contracts/screen.ts';
import { isSuccess } from '../../contracts/verdict.ts';
import type { Clock, Random } from '../../contracts/world.ts';
import { PocketDesktop } from '../../environments/pocket/desktop.ts';
import { Explorer } from '../../environments/pocket/explorer.ts';
import { deedAfter, type Finding, hindsight } from '../../environments/pocket/hindsight.ts';
import { solutionOf } from '../../environments/pocket/solution.ts';
import { asksFor, sameDeed } from '../../environments/pocket/tasks/deeds.ts';
import type { Split, Suite } from '../../environments/pocket/tasks/suite.ts';
import type { Session } from '../../graph/session.ts';
import type { Tensor } from '../../graph/tensor.ts';
import { ground } from '../../policy/grounding.ts';
import type { Sample } from '../../policy/sample.ts';
import type { Seen } from '../../policy/seen.ts';
import { Actor, type Played } from '../../rollout/actor.ts';
import { evaluatePolicy, type Result } from './evaluation.ts';
import { type Group, type GroupOrder, Groups } from './groups.ts';
import type { Lesson, PlayedGroup, Work } from './lesson.ts';
import type { Recipe } from './recipe.ts';
import { retell } from './retell.ts';

export interface PlayerOptions {
  readonly tasks: readonly TaskId[];
  readonly mode: Mode;
  readonly pixels: boolean;
  readonly recipe: Recipe;
}

export interface PlayerCounts {
  readonly explored: number;
  readonly findings: number;
  readonly episodes: number;
  readonly steps: number;
  /** Of each task, over its last results; absent before there are any. */
  readonly rates: Readonly<Record<string, number>>;
}

const LAST_WORD: Action = { kind: 'finished', answer: '' };

export class Player {
  readonly #suite: Suite;
  readonly #options: PlayerOptions;
  readonly #session: Session;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #explorer: Explorer;
  readonly #groups: Groups;
  readonly #actor: Actor<GroupOrder>;
  readonly #desktop = new PocketDesktop(desktopId('retelling'));
  readonly #counts = { findings: 0, episodes: 0, steps: 0 };
  #lessons: Lesson[] = [];
  #played: PlayedGroup[] = [];

  constructor(suite: Suite, options: PlayerOptions, session: Session, clock: Clock, random: Random) {
    const { tasks, mode, recipe, pixels } = options;
    this.#suite = suite;
    this.#options = options;
    this.#session = session;
    this.#clock = clock;
    this.#random = random.fork('player');
    this.#groups = new Groups(
      { suite, tasks, mode, rollouts: recipe.rollouts, daring: recipe.daring },
      random.fork('groups'),
    );
    const isSolved = (task: TaskId) => (this.#groups.successRate(task) ?? 0) > 0.3;
    this.#explorer = new Explorer(suite, tasks, random.fork('explorer'), isSolved);
    const desktops = Array.from(
      { length: recipe.desktops },
      (_, index) => new PocketDesktop(desktopId(`d${index}`)),
    );
    this.#actor = new Actor(
      desktops,
      session,
      {
        temperature: recipe.temperature,
        exploration: recipe.exploration,

        pixels,
      },
      random.fork('actor'),
    );
  }

  async weights(weights: Tensor): Promise<void> {
    await this.#session.write({ weights });
  }

  /** Only explores, for so long. */
  async explore(milliseconds: number): Promise<Work> {
    const end = this.#clock.now() + milliseconds;
    while (this.#clock.now() < end) await this.#explore();
    return this.#handOver();
  }

  /** Plays for so long, and explores for a share of the time. */
  async play(milliseconds: number): Promise<Work> {
    const start = this.#clock.now();
    const { exploring: usual, searching } = this.#options.recipe;
    const share = this.#explorer.open.length > 0 ? searching : usual;
    let exploring = 0;
    for (let now = start; now < start + milliseconds; now = this.#clock.now()) {
      if (exploring < share * (now - start)) {
        await this.#explore();
        exploring += this.#clock.now() - now;
      } else
        for (const played of await this.#actor.tick(() => this.#groups.next())) await this.#finished(played);
    }
    return this.#handOver();
  }

  async #explore(): Promise<void> {
    for (const finding of this.#explorer.play()) await this.#keep(finding);
  }

  /** Scripted solutions of so many training instances of each task. */
  async demonstrate(instances: number): Promise<Work> {
    for (const id of this.#options.tasks) {
      for (let index = 0; index < instances; index++)
        await this.#demonstrate(id, this.#suite.seed('train', index));
    }
    return this.#handOver();
  }

  async #demonstrate(id: TaskId, seed: Seed): Promise<void> {
    const task = this.#suite.task(id, seed);
    const { actions, ending } = solutionOf(this.#suite, task, seed);
    const word: Action = ending === 'fail' ? { kind: 'fail', why: '' } : LAST_WORD;
    const retold = await retell(this.#desktop, { task, seed, mode: this.#options.mode }, [...actions, word]);
    if (retold?.episode.ended === undefined || !isSuccess({ kind: 'judged', ...retold.episode.ended }))
      return;
    this.#lessons.push({ shelf: 'demonstrations', kind: id, samples: stripped(retold.samples) });
    // What was done also has a name of its own, and can be done again with other things.
    if (ending === 'finished') this.#explorer.watch(task, seed, actions);
  }

  async evaluate(split: Split, tasks: readonly TaskId[], instances: number): Promise<readonly Result[]> {
    const { mode, pixels } = this.#options;
    const random = this.#random.fork('evaluation');
    return evaluatePolicy(this.#session, {
      suite: this.#suite,
      tasks,
      split,
      instances,
      mode,
      pixels,
      random,
    });
  }

  counts(): PlayerCounts {
    return { explored: this.#explorer.steps, ...this.#counts, rates: this.#rates() };
  }

  #rates(): PlayerCounts['rates'] {
    const rates = this.#options.tasks.flatMap(task => {
      const rate = this.#groups.successRate(task);
      return rate === undefined ? [] : [[task, rate] as const];
    });
    return Object.fromEntries(rates);
  }

  #handOver(): Work {
    const work = { lessons: this.#lessons, groups: this.#played, rates: this.#rates() };
    this.#lessons = [];
    this.#played = [];
    return work;
  }

  /** A finding under some of the ways in which it might have been asked for. */
  async #keep({ task, seed, deed, actions }: Finding): Promise<void> {
    this.#counts.findings += 1;
    const ways = new Set([this.#random.int(deed.ways.length), this.#random.int(deed.ways.length)]);
    for (const way of ways) {
      const instruction = deed.ways[way] ?? '';
      const options = { task: this.#suite.task(task, seed), seed, mode: this.#options.mode, instruction };
      const retold = await retell(this.#desktop, options, [...actions, LAST_WORD]);
      // Retelling may act a little beside what was done, and then come to something else.
      if (retold === undefined || !sameDeed(deed, deedAfter(options.task, retold.episode.actions))) continue;
      const shelf = this.#options.tasks.some(each => asksFor(each, deed.kind)) ? 'hindsight' : 'beside';
      this.#lessons.push({ shelf, kind: deed.kind, samples: stripped(retold.samples) });
      for (const { seen, elements } of retold.shown) this.#ground(seen, elements);
    }
  }

  #ground(seen: Seen, elements: readonly Element[]): void {
    const grounded =
      this.#options.recipe.shares.grounding > 0 ? ground(seen, elements, this.#random) : undefined;
    if (grounded !== undefined)
      this.#lessons.push({ shelf: 'grounding', kind: grounded.kind, samples: stripped([grounded.sample]) });
  }

  async #finished(played: Played<GroupOrder>): Promise<void> {
    const { ended, order, samples, episode } = played;
    this.#counts.episodes += 1;
    this.#counts.steps += samples.length;
    const success = isSuccess({ kind: 'judged', ...ended });
    if (success) this.#lessons.push({ shelf: 'successes', kind: order.task.id, samples: stripped(samples) });
    else if (this.#options.recipe.hindsight && ended.ending !== 'fail') {
      const acted = episode.actions.filter(({ kind }) => kind !== 'finished');
      const finding = hindsight(order.task, order.seed, acted);
      if (finding !== undefined) await this.#keep(finding);
    }
    const group = this.#groups.played(played, success);
    if (group !== undefined) this.#played.push(handedOver(group));
  }
}

const handedOver = ({ task, seed, played }: Group): PlayedGroup => ({
  task,
  seed,
  trajectories: played.map(({ ended, samples }) => ({
    reward: ended.verdict.score,
    samples: stripped(samples),
  })),
});

/** What tokens mean is for those who act, and is much of what would be sent. */
const stripped = (samples: readonly Sample[]): readonly Sample[] =>
  samples.map(sample => ({ ...sample, tokens: { ...sample.tokens, meanings: [] } }));
