// A simulated engine under a virtual clock: it can lose its connection, fail, lose answers, and kill containers. Its delays are realistic.

import type { Random } from '../../../runtime/core/rng.ts';
import type { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import type { ContainerSpec } from '../../../runtime/environments/docker/container-spec.ts';
import type { DockerHost, FoundContainer, HostEvent } from '../../../runtime/environments/docker/host.ts';
import type { ByteStream } from '../../../runtime/environments/docker/streams.ts';
import { encodeFrame, frameDecoder } from '../../../runtime/environments/docker/warden.ts';

const notHere = (): never => {
  throw new Error('a fake engine runs no processes and has no images to give');
};

export class FakeHost implements DockerHost {
  readonly containers = new Map<
    string,
    { readonly name: string; readonly labels: FoundContainer['labels'] }
  >();
  hasImage = true;
  /** Ids of containers that cannot be removed. */
  readonly stuck = new Set<string>();
  /** Ids of containers that answer nothing. */
  readonly frozen = new Set<string>();
  /** Ids of containers whose screen has ended. */
  readonly dark = new Set<string>();
  /** The share of failing creations; half of them leave an unknown container. */
  failures = 0;
  created = 0;
  #isUp = true;
  #numbers = 0;
  readonly #ends = new Map<string, () => void>();
  readonly #listeners = new Set<(event: HostEvent) => void>();

  constructor(
    readonly name: string,
    readonly clock: VirtualClock,
    readonly random: Random,
  ) {}

  async create(spec: ContainerSpec): Promise<string> {
    await this.#busy(300);
    const id = `${this.name}-${this.#numbers++}`;
    const isFailing = this.random.next() < this.failures;
    if (isFailing && this.random.next() < 0.5) throw new Error('the disk is full');
    this.containers.set(id, { name: spec.name, labels: spec.Labels });
    this.created += 1;
    await this.#busy(100);
    if (isFailing) throw new Error('the answer was lost');
    return id;
  }

  async remove(idOrName: string): Promise<void> {
    await this.#busy(150);
    for (const [id, { name }] of this.containers)
      if (id === idOrName || name === idOrName) {
        if (this.stuck.has(id)) throw new Error('its process does not end');
        this.kill(id);
      }
  }

  async list(labels: FoundContainer['labels']): Promise<readonly FoundContainer[]> {
    await this.#busy(5);
    return [...this.containers]
      .filter(([, container]) =>
        Object.entries(labels).every(([key, value]) => container.labels[key] === value),
      )
      .map(([id, container]) => ({ id, ...container, isRunning: true }));
  }

  async events(listener: (event: HostEvent) => void, signal: AbortSignal): Promise<void> {
    this.#listeners.add(listener);
    listener(this.#isUp ? { kind: 'here' } : { kind: 'lost', why: 'no engine answers' });
    await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve()));
    this.#listeners.delete(listener);
  }

  async images() {
    await this.#busy(5);
    return this.hasImage ? [{ tags: ['image'], size: 1 }] : [];
  }

  /** The warden of a container: it greets for its screen, unless it is frozen. The stream ends with the container. */
  async attach(id: string): Promise<ByteStream> {
    const closed = new Promise<undefined>(resolve => this.#ends.set(id, () => resolve(undefined)));
    const ignore = () => undefined;
    let emit: (data: Uint8Array) => void = ignore;
    const receive = frameDecoder(({ kind, channel }) => {
      if (kind !== 's' || this.frozen.has(id)) return;
      const greeting = this.dark.has(id)
        ? encodeFrame('x', channel, Buffer.from('1'))
        : encodeFrame('d', channel, Buffer.from('RFB 003.008\n'));
      void this.clock.sleep(this.random.int(10)).then(() => emit(greeting));
    });
    const onData = (listener: typeof emit) => {
      emit = listener;
    };
    return { closed, write: receive, onData, end: ignore, close: ignore };
  }

  readonly exec = notHere;
  readonly facts = notHere;
  readonly build = notHere;
  readonly load = notHere;
  readonly save = notHere;
  close(): void {}

  /** Kills a container; listeners receive the event a little later. */
  kill(id: string): void {
    if (!this.containers.delete(id)) return;
    if (this.#isUp) this.#ends.get(id)?.();
    void this.clock
      .sleep(this.random.int(10))
      .then(() => this.#emit({ kind: 'died', container: id, why: 'killed' }));
  }

  /** Loses the connection: no events until `find`. */
  lose(): void {
    this.#emit({ kind: 'lost', why: 'the cable was pulled' });
    this.#isUp = false;
  }

  find(): void {
    this.#isUp = true;
    this.#emit({ kind: 'here' });
  }

  #emit(event: HostEvent): void {
    if (this.#isUp) for (const listener of this.#listeners) listener(event);
  }

  async #busy(milliseconds: number): Promise<void> {
    if (!this.#isUp) throw new Error('no engine answers');
    await this.clock.sleep(milliseconds * (0.5 + this.random.next()));
    if (!this.#isUp) throw new Error('the connection broke');
  }
}
