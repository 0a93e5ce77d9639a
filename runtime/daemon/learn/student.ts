// The side that learns: keeps what is worth imitating, takes groups as they come, and never waits for a particular one.

import { shuffled, weighted } from '../../contracts/chance.ts';
import type { Seed, TaskId } from '../../contracts/ids.ts';
import { SUCCESS } from '../../contracts/verdict.ts';
import type { Clock, Random } from '../../contracts/world.ts';
import { advantages, carriesGradient } from '../../data/advantage.ts';
import { Shelf } from '../../data/shelf.ts';
import { asksFor } from '../../environments/pocket/tasks/deeds.ts';
import type { Tensor, Tensors } from '../../graph/tensor.ts';
import type { NetworkShape } from '../../policy/network.ts';
import { renaming } from '../../policy/renaming.ts';
import { ownCopy, type Sample } from '../../policy/sample.ts';
import { cooled } from '../../trainer/cooling.ts';
import { type Learned, Learner, type Opens, type Row } from '../../trainer/learner.ts';
import { highEntropy, stepUncertainty } from '../../trainer/mask.ts';
import { type PlayedGroup, SHELVES, type ShelfName, type Work } from './lesson.ts';
import type { Recipe } from './recipe.ts';

export interface StudentCounts {
  readonly updates: number;
  readonly rows: number;
  readonly trained: number;
  readonly filtered: number;
  readonly dropped: number;
  readonly injected: number;
  /** Of the steps of trained groups, the share that the high-entropy mask left. */
  readonly keptShare: number;
  readonly kinds: Readonly<Record<string, number>>;
  readonly last: Learned | undefined;
}

/** Trajectories of each kind that are kept. */
const KEPT: Readonly<Record<ShelfName, number>> = {
  hindsight: 64,
  beside: 32,
  successes: 24,
  demonstrations: 64,
  grounding: 512,
};
/** How much oftener something is shown that never succeeds than what always does. */
const NEED = 4;
/** Of a trajectory, steps are shown as often as they surprise, within these limits: nobody can foresee some of what was done by chance. */
const MOST_SURPRISING = 3;
const NEVER_LESS = 0.1;
/** Milliseconds that the mean of the weights looks back. */
const MEAN_OVER = 6000;
/** More groups than these do not wait: the oldest goes. */
const MOST_WAITING = 48;

export class Student {
  readonly #recipe: Recipe;
  readonly #learner: Learner;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #shelves: Readonly<Record<ShelfName, Shelf<Sample>>>;
  /** The latest success of each instance, for groups in which all fail. */
  readonly #pool = new Map<string, readonly Sample[]>();
  readonly #counts = { updates: 0, rows: 0, trained: 0, filtered: 0, dropped: 0, injected: 0 };
  #waiting: PlayedGroup[] = [];
  /** The groups of a batch that is not full yet. */
  #begun: (readonly Step[])[] = [];
  /** Rows of groups that are left of the present batch. */
  #rows: Row[] = [];
  readonly #surprises = new WeakMap<Sample, number>();
  #masked = { steps: 0, kept: 0 };
  #last: Learned | undefined;
  #rates: Work['rates'] = {};
  #mean: Float32Array<ArrayBuffer> | undefined;
  #meanAt = 0;

  private constructor(recipe: Recipe, learner: Learner, clock: Clock, random: Random) {
    this.#recipe = recipe;
    this.#learner = learner;
    this.#clock = clock;
    this.#random = random;
    this.#shelves = Object.fromEntries(SHELVES.map(name => [name, new Shelf<Sample>(KEPT[name])])) as Record<
      ShelfName,
      Shelf<Sample>
    >;
  }

  static async open(
    engine: Opens,
    shape: NetworkShape,
    recipe: Recipe,
    weights: Tensor,
    clock: Clock,
    random: Random,
  ): Promise<Student> {
    const renamed = renaming(random.fork('renaming'), recipe.renaming);
    const options = { shape, objective: recipe.objective, optimiser: recipe.optimiser, renamed };
    const learner = await Learner.open(engine, options, weights.data as Float32Array<ArrayBuffer>);
    return new Student(recipe, learner, clock, random.fork('student'));
  }

  take({ lessons, groups, rates }: Work): void {
    this.#rates = rates;
    for (const { shelf, kind, samples } of lessons) this.#shelves[shelf].put(kind, samples.map(ownCopy));
    for (const { trajectories, ...instance } of groups) {
      const group = {
        ...instance,
        trajectories: trajectories.map(({ reward, samples }) => ({ reward, samples: samples.map(ownCopy) })),
      };
      this.#waiting.push(group);
      const success = group.trajectories.findLast(({ reward }) => reward >= SUCCESS);
      if (success !== undefined) this.#pool.set(instanceOf(group), success.samples);
    }
    while (this.#waiting.length > MOST_WAITING) {
      this.#waiting.shift();
      this.#counts.dropped += 1;
    }
  }

  /** Learns for so long; whether there was anything to learn from. `passed` is the share of the training that is over. */
  async learn(milliseconds: number, passed: number): Promise<boolean> {
    const rate = cooled(passed, this.#recipe.cooling);
    const end = this.#clock.now() + milliseconds;
    do {
      if (this.#rows.length === 0) this.#rows = await this.#nextRows();
      const ofGroups = this.#rows.splice(0, this.#recipe.policyRows);
      const imitated = this.#imitated(ofGroups.length > 0 ? this.#recipe.replay : this.#recipe.batch);
      const policyWeight = this.#recipe.policyWeight / Math.max(1, ofGroups.length);
      const rows = [...ofGroups.map(row => ({ ...row, policyWeight })), ...imitated];
      if (rows.length === 0) return false;
      for (const some of ofLikeLength(rows)) await this.#update(some, rate);
    } while (this.#clock.now() < end);
    return true;
  }

  async #update(rows: readonly Row[], rate: number): Promise<void> {
    this.#last = await this.#learner.learn(rows, rate);
    for (const [index, { sample }] of rows.entries()) {
      const surprise = this.#last.surprises[index] ?? Number.NaN;
      if (Number.isFinite(surprise)) this.#surprises.set(sample, surprise);
    }
    this.#counts.updates += 1;
    this.#counts.rows += rows.length;
  }

  state(): Promise<Tensors> {
    return this.#learner.state();
  }

  /** The present weights, and their mean over the last seconds: what is kept, since single updates make single weights jump. */
  async weights(): Promise<{ readonly present: Tensor; readonly mean: Tensor } | undefined> {
    const { weights: present } = await this.#learner.state();
    if (present === undefined) return undefined;
    const now = this.#clock.now();
    const share = this.#mean === undefined ? 1 : 1 - Math.exp(-(now - this.#meanAt) / MEAN_OVER);
    this.#mean ??= new Float32Array(present.data.length);
    this.#meanAt = now;
    for (let index = 0; index < this.#mean.length; index++) {
      const before = this.#mean[index] ?? 0;
      this.#mean[index] = before + share * (Number(present.data[index]) - before);
    }
    return { present, mean: { dtype: 'float32', dims: present.dims, data: this.#mean } };
  }

  counts(): StudentCounts {
    const { hindsight } = this.#shelves;
    return {
      ...this.#counts,
      keptShare: this.#masked.kept / Math.max(1, this.#masked.steps),
      kinds: Object.fromEntries(hindsight.kinds.map(kind => [kind, hindsight.count(kind)])),
      last: this.#last,
    };
  }

  /** The steps of one batch of groups that carry a gradient; none while there are not enough. */
  async #nextRows(): Promise<Row[]> {
    const groups = this.#begun;
    while (this.#waiting.length > 0 && sizeOf(groups) < this.#recipe.policyBatch) {
      const steps = this.#steps(this.#waiting.shift());
      if (steps.length > 0) groups.push(steps);
    }
    if (sizeOf(groups) < this.#recipe.policyBatch) return [];
    this.#begun = [];
    const { weights } = await this.#learner.state();
    if (weights === undefined) return [];
    const rows: Row[] = [];
    for (const steps of groups) {
      const assessed = await this.#learner.assess(
        steps.map(({ sample }) => sample),
        weights,
      );
      const { kept } = highEntropy(
        assessed.map(({ uncertainties, open }, index) =>
          stepUncertainty(uncertainties, steps[index]?.sample.used ?? [], open),
        ),
      );
      for (const [index, { sample, advantage }] of steps.entries()) {
        this.#masked.steps += 1;
        if (this.#recipe.highEntropy && kept[index] === false) continue;
        this.#masked.kept += 1;
        rows.push({
          sample,
          advantage,
          policyWeight: 1,
          cloneWeight: 0,
          old: assessed[index]?.logProbabilities ?? [],
        });
      }
      this.#counts.trained += 1;
    }
    return shuffled(this.#random, rows);
  }

  /** The steps of a group with their advantages; none where it carries no gradient. */
  #steps(group: PlayedGroup | undefined): readonly Step[] {
    if (group === undefined) return [];
    const trajectories = this.#injected(group);
    if (!carriesGradient(trajectories.map(({ reward }) => reward))) {
      this.#counts.filtered += 1;
      return [];
    }
    const better = advantages(trajectories.map(({ reward, samples }) => ({ reward, steps: samples.length })));
    return trajectories.flatMap(({ samples }, index) =>
      samples.map(sample => ({ sample, advantage: better[index] ?? 0 })),
    );
  }

  /** Where all failed, a success that is kept of the same instance takes the place of the oldest failure. */
  #injected(group: PlayedGroup): PlayedGroup['trajectories'] {
    const kept = this.#pool.get(instanceOf(group));
    if (kept === undefined || group.trajectories.some(({ reward }) => reward > 0)) return group.trajectories;
    this.#counts.injected += 1;
    const demonstrated = kept.map(({ logProbabilities: _, ...sample }) => sample);
    return [{ reward: 1, samples: demonstrated }, ...group.trajectories.slice(1)];
  }

  /** What goes wrong most is shown most. */
  #need(kind: string): number {
    const asking = Object.entries(this.#rates).filter(([task]) => asksFor(task, kind));
    if (asking.length === 0) return 1;
    return 1 + NEED * (1 - Math.min(...asking.map(([, rate]) => rate)));
  }

  /** How little a step was expected when it was last learned from; one that never was counts as the most surprising. */
  #surprise(sample: Sample): number {
    return Math.min(MOST_SURPRISING, this.#surprises.get(sample) ?? MOST_SURPRISING);
  }

  #imitated(count: number): readonly Row[] {
    const { shares, cloneWeight } = this.#recipe;
    const filled = SHELVES.filter(name => this.#shelves[name].size > 0);
    const weights = {
      ofKind: (kind: string) => this.#need(kind),
      ofStep: (sample: Sample) => NEVER_LESS + this.#surprise(sample),
    };
    const rows: Row[] = [];
    for (let index = 0; index < count; index++) {
      const name = weighted(this.#random, filled, each => shares[each]);
      const sample = name && this.#shelves[name].draw(this.#random, weights);
      if (sample !== undefined) rows.push({ sample, policyWeight: 0, cloneWeight: cloneWeight / count });
    }
    return rows;
  }
}

interface Step {
  readonly sample: Sample;
  readonly advantage: number;
}

/** The shorter and the longer half: rows are filled up to the longest beside them, and most are half as long as the longest. */
function ofLikeLength(rows: readonly Row[]): readonly (readonly Row[])[] {
  const sorted = rows.toSorted((a, b) => a.sample.tokens.count - b.sample.tokens.count);
  const middle = Math.ceil(sorted.length / 2);
  return [sorted.slice(0, middle), sorted.slice(middle)].filter(half => half.length > 0);
}

const sizeOf = (groups: readonly (readonly Step[])[]): number =>
  groups.reduce((sum, steps) => sum + steps.length, 0);

const instanceOf = ({ task, seed }: { readonly task: TaskId; readonly seed: Seed }): string =>
  `${task} ${seed}`;
