// Keeps what is known of the workspace's runs, as long as there is a connection; a run that stopped because its daemon crashed, or went
// while the window was being reloaded, goes on.

import type { DaemonLife } from '../../runtime/protocol/daemon/messages.ts';
import type { RunState } from '../../runtime/protocol/daemon/state.ts';
import type { Clock, DaemonClient } from '../daemon/client.ts';
import type { State } from '../daemon/lifecycle.ts';
import {
  asOfNow,
  brokenOff,
  isLive,
  isOutOfDate,
  type Known,
  NOTHING,
  resumable,
  withList,
  withState,
} from './known.ts';
import { isNews as isNewsOfLeft, type Left, leftOff, takenLeaveOf } from './left.ts';

export interface RunsOptions {
  readonly client: DaemonClient;
  readonly note: (message: string) => void;
  /** Whether the user wants training to go on without a window. */
  readonly keepTraining: () => boolean;
  readonly clock: Clock;
  /** Of this window in this workspace; it outlasts a reload. */
  readonly memory: { get(): Left | undefined; set(left: Left | undefined): void };
}

/** Milliseconds. */
const LOOK_AGAIN_AFTER = 1000;

export class Runs {
  readonly #options: RunsOptions;
  readonly #listeners = new Set<() => void>();
  readonly #listening: { dispose(): void };
  #known: Known = NOTHING;
  #life: DaemonLife | undefined;
  #before: State['kind'];
  #brokenOff: readonly string[] = [];
  /** As it was before the reload, until what trained then is known to train or goes on. */
  #beforeReload: Left | undefined;
  #left: Left | undefined;
  /** Whether the daemon was about to go when this window came back to it. */
  #isFarewell = false;

  constructor(options: RunsOptions) {
    this.#options = options;
    const { client, memory } = options;
    this.#beforeReload = memory.get();
    this.#before = client.state.kind;
    this.#listening = client.listen({
      changed: state => this.#changed(state),
      heard: state => this.#heard(state),
    });
  }

  get known(): Known {
    return this.#known;
  }

  /** As the daemon said last; undefined while there is none. */
  get life(): DaemonLife | undefined {
    return this.#life;
  }

  /** Of all changes: of runs, and of the connection. */
  onChange(listener: () => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  async refresh(): Promise<void> {
    this.#known = withList(this.#known, await this.#options.client.ask('runs.list', {}));
    this.#tell();
  }

  async keepTraining(keep: boolean): Promise<void> {
    this.#life = await this.#options.client.ask('daemon.keepTraining', { keep });
    this.#tell();
  }

  dispose(): void {
    this.#listening.dispose();
    this.#listeners.clear();
  }

  #changed({ kind }: State): void {
    const { client } = this.#options;
    const before = this.#before;
    this.#before = kind;
    if (kind === 'connected') this.#attempt(() => this.#begin());
    else if (before === 'connected') {
      // Stopped on purpose it took leave of its runs with a checkpoint each.
      this.#brokenOff = kind === 'waiting' ? brokenOff(this.#known) : [];
      this.#known = asOfNow(this.#known);
      this.#life = undefined;
      if (kind === 'away' && this.#isFarewell) void Promise.resolve().then(() => client.want(true));
      else if (kind !== 'waiting') this.#remember(undefined);
      this.#isFarewell = false;
    }
    this.#tell();
  }

  async #begin(): Promise<void> {
    const { client, keepTraining } = this.#options;
    await client.ask('subscribe', { what: 'runs' });
    await this.refresh();
    // What was asked of the daemon by others stays, unless the user of this window wants it too.
    this.#life = keepTraining()
      ? await client.ask('daemon.keepTraining', { keep: true })
      : await client.ask('daemon.life', {});
    // The list is what is on disk; what lives may be further.
    for (const { run } of this.#known.runs.filter(({ status }) => isLive(status)))
      this.#heard(await client.ask('run.state', { run }));
    this.#isFarewell = this.#takenLeaveOf().length > 0;
    const broken = this.#brokenOff;
    this.#brokenOff = [];
    await this.#goOn(broken);
    this.#tell();
    this.#attempt(() => this.#goOnWithLeft());
  }

  #takenLeaveOf(): readonly string[] {
    const { client, clock } = this.#options;
    if (client.state.kind !== 'connected') return [];
    const stopping = this.#known.runs.filter(({ status }) => status === 'stopping').map(({ run }) => run);
    return takenLeaveOf(this.#beforeReload, client.state.daemon.startedAt, stopping, clock.now());
  }

  /** Those of these that can. */
  async #goOn(runs: readonly string[]): Promise<number> {
    const { client, note } = this.#options;
    const can = resumable(this.#known).filter(({ run }) => runs.includes(run));
    for (const { run } of can) {
      note(`The run '${run}' stopped because its daemon went: it goes on.`);
      // Another window may have been first.
      await client.ask('run.resume', { run }).catch((error: unknown) => note(String(error)));
    }
    return can.length;
  }

  /** A trainer of the daemon of before may still keep what it learned: then they can go on a moment later. */
  async #goOnWithLeft(): Promise<void> {
    const { client, clock } = this.#options;
    while (client.state.kind === 'connected') {
      const left = leftOff(this.#beforeReload, client.state.daemon.startedAt, clock.now());
      if (left.length === 0) return;
      if ((await this.#goOn(left)) > 0) this.#beforeReload = undefined;
      await clock.sleep(LOOK_AGAIN_AFTER);
      await this.refresh();
    }
  }

  #heard(state: RunState): void {
    const isNews = isOutOfDate(this.#known, state);
    this.#known = withState(this.#known, state);
    if (isNews) this.#attempt(() => this.refresh());
    if (isNews) this.#attempt(() => this.#askLife());
    this.#tell();
  }

  async #askLife(): Promise<void> {
    this.#life = await this.#options.client.ask('daemon.life', {});
    this.#tell();
  }

  #attempt(doing: () => Promise<void>): void {
    // A connection that was lost meanwhile is told by the client; what is asked comes again with the next.
    doing().catch((error: unknown) => this.#options.note(String(error)));
  }

  /** Once it is known what trains. */
  #leave(): void {
    const { client, clock } = this.#options;
    if (client.state.kind !== 'connected' || this.#life === undefined) return;
    const { startedAt } = client.state.daemon;
    const left = { runs: brokenOff(this.#known), daemon: startedAt, at: clock.now() };
    if (left.runs.length > 0) this.#beforeReload = undefined;
    // A window that is reloaded once more still knows what it waits for.
    if (this.#beforeReload === undefined && isNewsOfLeft(left, this.#left)) this.#remember(left);
  }

  #remember(left: Left | undefined): void {
    this.#left = left;
    this.#options.memory.set(left);
  }

  #tell(): void {
    this.#leave();
    for (const listener of [...this.#listeners]) listener();
  }
}
