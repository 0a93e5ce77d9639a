// The simple loop: one player and one student, each in a process of its own, neither waiting for the other. The ring runs the
// same parts apart; here they meet in the middle, where work goes one way and weights the other.

import type { Mode } from '../../contracts/policy.ts';
import { type Clock, seeded } from '../../contracts/world.ts';
import type { Split } from '../../environments/pocket/tasks/suite.ts';
import { Caller } from '../../graph/process/caller.ts';
import type { Tensor, Tensors } from '../../graph/tensor.ts';
import type { NetworkShape } from '../../policy/network.ts';
import { firstWeights } from '../../policy/programs.ts';
import type { Judged, PlayerCalls, StudentCalls } from './calls.ts';
import type { PlayerCounts } from './player.ts';
import type { Recipe } from './recipe.ts';
import type { StudentCounts } from './student.ts';

export interface TrainingOptions {
  /** The bundled entries of the two processes. */
  readonly entries: { readonly player: URL; readonly student: URL };
  readonly tasks: readonly string[];
  readonly mode: Mode;
  readonly shape: NetworkShape;
  readonly recipe: Recipe;
  readonly seed: string;
  readonly clock: Clock;
  /** Where it begins; drawn from the seed where they are not given. */
  readonly weights?: Float32Array<ArrayBuffer>;
}

export interface Progress {
  readonly seconds: number;
  readonly player: PlayerCounts;
  readonly student: StudentCounts;
}

/** The player's and the student's turns, between which work and weights are passed on. */
const TURN = 400;

export class Training {
  readonly #options: TrainingOptions;
  readonly #player: Caller<PlayerCalls, null>;
  readonly #student: Caller<StudentCalls, null>;
  /** What is kept, and what is played with. */
  #weights: Tensor;
  #playing: Tensor;

  private constructor(
    options: TrainingOptions,
    player: Caller<PlayerCalls, null>,
    student: Caller<StudentCalls, null>,
    weights: Tensor,
  ) {
    this.#options = options;
    this.#player = player;
    this.#student = student;
    this.#weights = weights;
    this.#playing = weights;
  }

  static async open(options: TrainingOptions): Promise<Training> {
    const { entries, tasks, mode, shape, seed } = options;
    // In pixels a name cannot be replaced by another.
    const recipe = mode === 'screenshot' ? { ...options.recipe, renaming: 0 } : options.recipe;
    const [{ caller: player }, { caller: student }] = await Promise.all([
      Caller.open<PlayerCalls, null>(entries.player),
      Caller.open<StudentCalls, null>(entries.student),
    ]);
    const chance = seeded(seed).fork('weights');
    const data = options.weights ?? firstWeights(shape, () => chance.next());
    const weights: Tensor = { dtype: 'float32', dims: [data.length], data };
    const start = { seed, shape, recipe, weights };
    await Promise.all([player.call('start', { ...start, mode, tasks }), student.call('start', start)]);
    return new Training(options, player, student, weights);
  }

  get weights(): Tensor {
    return this.#weights;
  }

  /** Shows it the scripted solutions of so many training instances of each task. */
  async demonstrate(instances: number): Promise<void> {
    await this.#student.call('take', await this.#player.call('demonstrate', { instances }));
  }

  /** Trains for so many seconds; `beside` is called about every second, with the player idle. */
  async run(
    seconds: number,
    beside: (seconds: number) => Promise<void> = async () => undefined,
  ): Promise<void> {
    const { clock, recipe } = this.#options;
    const start = clock.now();
    const passed = () => (clock.now() - start) / 1000;
    const play = async (): Promise<void> => {
      let told = 0;
      while (passed() < seconds) {
        const milliseconds = Math.min(TURN, 1000 * (seconds - passed()));
        const call = passed() < recipe.explore ? 'explore' : 'play';
        await this.#student.call('take', await this.#player.call(call, { milliseconds }));
        if (passed() - told < 1) continue;
        told = passed();
        await beside(told);
      }
    };
    const learn = async (): Promise<void> => {
      while (passed() < seconds) {
        const { learned, weights } = await this.#student.call('learn', {
          milliseconds: TURN,
          passed: passed() / seconds,
        });
        if (!learned) await clock.sleep(50);
        else if (weights !== undefined) {
          this.#weights = weights.mean;
          await this.#player.call('weights', weights.present);
          this.#playing = weights.present;
        }
      }
    };
    await Promise.all([play(), learn()]);
  }

  async progress(seconds: number): Promise<Progress> {
    const [player, student] = await Promise.all([
      this.#player.call('counts', undefined),
      this.#student.call('counts', undefined),
    ]);
    return { seconds, player, student };
  }

  /** Plays so many instances of each task with the likeliest choices. */
  async evaluate(split: Split, tasks: readonly string[], instances: number): Promise<readonly Judged[]> {
    await this.#player.call('weights', this.#weights);
    const judged = await this.#player.call('evaluate', { split, tasks, instances });
    await this.#player.call('weights', this.#playing);
    return judged;
  }

  /** What the two processes had in memory at most, in megabytes. */
  async memory(): Promise<number> {
    const [player, student] = await Promise.all([
      this.#player.call('memory', undefined),
      this.#student.call('memory', undefined),
    ]);
    return player + student;
  }

  /** Weights and moments. */
  state(): Promise<Tensors> {
    return this.#student.call('state', undefined);
  }

  async close(): Promise<void> {
    await Promise.all([this.#player.close(), this.#student.close()]);
  }
}
