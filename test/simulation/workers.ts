// Policy workers of a simulated run: each decision names the weights that the worker has loaded.

import { vectorIn } from '../../runtime/agents/compact/blob.ts';
import { version as asVersion, type Version } from '../../runtime/core/ids.ts';
import type { DecisionRequest, Weights } from '../../runtime/core/policy.ts';
import { type Random, seeded } from '../../runtime/core/rng.ts';
import type { Answer, PolicyWorker } from '../../runtime/rollout/policy-worker.ts';
import { PeerEnded } from '../../runtime/rpc/client.ts';
import type { Life } from './life.ts';
import { actionOf } from './witness.ts';
import type { World } from './world.ts';

const ENDS = 0.25;

interface Loaded {
  readonly version: Version;
  readonly weight: number;
}

export class SimulatedWorker implements PolicyWorker {
  readonly #world: World;
  readonly #life: Life;
  readonly #host: Life;
  readonly #chance: Random;
  readonly #pinned = new Map<Version, Loaded>();
  #newest: Loaded | undefined;
  /** Calls run one after another. */
  #before: Promise<unknown> = Promise.resolve();
  readonly #ended: Promise<never>;

  constructor(world: World, host: Life, index: number) {
    this.#world = world;
    this.#host = host;
    this.#chance = world.random.fork(`worker ${index} of ${host.name} ${world.passed}`);
    this.#life = world.begin(`worker ${index}`, 'worker');
    host.onDeath(() => this.#life.die());
    this.#ended = new Promise((_, reject) => {
      this.#life.onDeath(() => reject(new PeerEnded('The policy worker was killed.')));
    });
    this.#ended.catch(() => undefined);
  }

  decide(requests: readonly DecisionRequest[]): Promise<readonly Answer[]> {
    return this.#call(this.#world.plan.decides, () => requests.map(request => this.#answer(request)));
  }

  load(weights: Weights): Promise<void> {
    return this.#call(1, () => {
      this.#newest = loaded(weights);
    });
  }

  pin(weights: Weights): Promise<void> {
    return this.#call(1, () => void this.#pinned.set(weights.version, loaded(weights)));
  }

  unpin(version: Version): Promise<void> {
    return this.#call(1, () => void this.#pinned.delete(version));
  }

  async close(): Promise<void> {
    this.#life.die();
  }

  #answer({ seed, version }: DecisionRequest): Answer {
    const weights = version === undefined ? this.#newest : this.#pinned.get(version);
    if (weights === undefined) return { refused: `it has no weights of version ${version ?? 'any'}` };
    const number = this.#world.witness.decide(weights);
    return {
      action: actionOf(number, seeded(seed).next() < ENDS),
      meant: [],
      version: this.#world.has('workers name another version') ? asVersion(0) : weights.version,
      decisions: [
        {
          ...{ head: 'kind', choice: number, choices: number + 2 },
          ...{ logProbability: this.#lies() ? Number.NaN : -0.7, entropy: 0.5, alternatives: [] },
        },
      ],
    };
  }

  #lies(): boolean {
    return !this.#world.isCalm && this.#chance.next() < this.#world.plan.desktop.lies / 2;
  }

  #call<T>(milliseconds: number, answer: () => T): Promise<T> {
    const { latency, delivering } = this.#world.messages;
    const done = this.#before.then(async () => {
      await this.#life.clock.sleep(milliseconds + latency());
      delivering();
      return this.#life.whileAlive(Promise.resolve(this.#life.isDead ? undefined : answer()) as Promise<T>);
    });
    this.#before = done;
    return this.#host.whileAlive(Promise.race([done, this.#ended]));
  }
}

const loaded = ({ version, blob }: Weights): Loaded => ({ version, weight: Number(vectorIn(blob).data[0]) });
