// The machine of a simulated run: one clock, one disk, one source of chance, the processes that live, and the faults of a plan.

import { seeded } from '../../runtime/core/rng.ts';
import { VirtualClock } from '../../runtime/core/virtual-clock.ts';
import { SimulatedDisk } from './disk.ts';
import { Life } from './life.ts';
import type { MessageTrouble } from './messages.ts';
import { type Death, type Plan, planOf, type Victim } from './plan.ts';
import { Witness } from './witness.ts';

type Role = Exclude<Victim, 'power'>;

/** A fault of the program, not of the machine: one that breaks a law. */
export type Mutation =
  | 'the disk syncs nothing'
  | 'trajectories are not stored'
  | 'labels are lost'
  | 'checkpoints are lost'
  | 'versions start again'
  | 'desktops act twice'
  | 'workers name another version'
  | 'old rollouts train'
  | 'parts train twice'
  | 'orders are lost';

const START = 1_700_000_000_000;

export class World {
  readonly plan: Plan;
  readonly random;
  readonly clock = new VirtualClock(START);
  readonly witness: Witness;
  readonly disk: SimulatedDisk;
  readonly messages: MessageTrouble;
  readonly #mutation: Mutation | undefined;
  readonly #lives = new Map<Life, Role>();
  readonly #counts = { disk: 0, message: 0 };
  #deaths: readonly Death[];
  #episodes = 0;
  /** The trainer that owns the checkpoints. */
  trainer: Life | undefined;

  constructor(seed: number, changes: Partial<Plan> = {}, mutation?: Mutation) {
    this.plan = { ...planOf(seed), ...changes };
    this.#mutation = mutation;
    this.random = seeded(seed);
    this.witness = new Witness(() => this.clock.now() - START);
    const [disk, link] = [this.random.fork('disk'), this.random.fork('messages')];
    const { failedSyncs, failedWrites, full } = this.plan.disk;
    this.disk = new SimulatedDisk(disk.fork('power'), {
      called: (life, call) => {
        this.witness.note(`${life.name}: ${call}`);
        this.#tick('disk');
      },
      isFull: () => full !== undefined && this.passed >= full[0] && this.passed < full[1],
      failsWrite: () => !this.isCalm && disk.next() < failedWrites,
      failsSync: () => !this.isCalm && disk.next() < failedSyncs,
      syncs: !this.has('the disk syncs nothing'),
      latency: () => (disk.int(40) === 0 ? disk.int(500) : disk.int(6)),
    });
    this.messages = {
      clock: this.clock,
      delivering: () => this.#tick('message'),
      latency: () => (link.int(50) === 0 ? link.int(300) : link.int(3)),
    };
    this.#deaths = this.plan.deaths.filter(({ when }) => when !== 'time');
    for (const { victim, when, at } of this.plan.deaths)
      if (when === 'time') void this.clock.sleep(at).then(() => this.#kill(victim));
  }

  /** Milliseconds since the start. */
  get passed(): number {
    return this.clock.now() - START;
  }

  /** No new fault begins. */
  get isCalm(): boolean {
    return this.passed >= this.plan.calmAfter;
  }

  has(mutation: Mutation): boolean {
    return this.#mutation === mutation;
  }

  nextEpisode(): number {
    return ++this.#episodes;
  }

  begin(name: string, role: Role): Life {
    const life = new Life(name, this.clock);
    this.#lives.set(life, role);
    life.onDeath(() => {
      this.#lives.delete(life);
      this.witness.note(`${name} has ended`);
    });
    return life;
  }

  #tick(when: 'disk' | 'message'): void {
    this.#counts[when] += 1;
    const count = this.#counts[when];
    const due = this.#deaths.filter(death => death.when === when && death.at <= count);
    if (due.length === 0) return;
    this.#deaths = this.#deaths.filter(death => !due.includes(death));
    for (const { victim } of due) this.#kill(victim);
  }

  #kill(victim: Victim): void {
    if (this.isCalm) return;
    const lives = [...this.#lives].filter(([, role]) => victim === 'power' || role === victim);
    const [one] = lives;
    if (one === undefined) return;
    this.witness.note(victim === 'power' ? 'the power fails' : `${one[0].name} is killed`);
    for (const [life] of victim === 'power' ? lives : [one]) life.die();
    if (victim === 'power') this.disk.losePower();
  }
}
