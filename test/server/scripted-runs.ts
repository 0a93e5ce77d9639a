// Runs without modules: each shows a plausible training that the test advances, and records its calls.

import type { Collections } from '../../runtime/collect/collections.ts';
import type { Config } from '../../runtime/config/config.ts';
import { type RunId, runId, type TrajectoryId } from '../../runtime/core/ids.ts';
import type { Recordings } from '../../runtime/person/recordings.ts';
import type { HostAddress } from '../../runtime/protocol/daemon/hosts.ts';
import type { RunState, RunSummary } from '../../runtime/protocol/daemon/state.ts';
import type { Desktops } from '../../runtime/server/desktops/desktops.ts';
import type { Exchange } from '../../runtime/server/exchange/exchange.ts';
import type { Presorting } from '../../runtime/server/presort/presorts.ts';
import type { RunHosts } from '../../runtime/server/run-hosts.ts';
import type { Runs } from '../../runtime/server/runs.ts';
import type { Trajectories } from '../../runtime/server/trajectories/trajectories.ts';
import type { StartOptions } from '../../runtime/server/workspace-runs.ts';
import { playedState } from './played-state.ts';
import {
  NO_COLLECTIONS,
  NO_DESKTOPS,
  NO_EXCHANGE,
  NO_PRESORTS,
  NO_RECORDINGS,
  NO_TRAJECTORIES,
} from './trajectories/none.ts';

type Status = RunState['status'];

export class ScriptedRuns implements Runs {
  trajectories: Trajectories = NO_TRAJECTORIES;
  presorts: Presorting = NO_PRESORTS;
  exchange: Exchange = NO_EXCHANGE;
  collections: Collections = NO_COLLECTIONS;
  desktops: Desktops = NO_DESKTOPS;
  recordings: Recordings = NO_RECORDINGS;
  trainingNow: Runs['trainingNow'];
  hosts: RunHosts = {
    drain: async (run, host) => {
      this.asked.push(`drain ${run} ${host}`);
    },
    address: () => this.#address(),
    renewAddress: async () => {
      this.#tokens += 1;
      return this.#address();
    },
  };
  readonly asked: string[] = [];
  readonly #states = new Map<RunId, RunState>();
  #tokens = 1;
  readonly #listeners = new Set<(state: RunState) => void>();

  constructor(...states: readonly RunState[]) {
    for (const state of states) this.#states.set(runId(state.run), state);
  }

  get listeners(): number {
    return this.#listeners.size;
  }

  /** Replaces the state of a run, and notifies the listeners. */
  show(state: RunState): void {
    this.#states.set(runId(state.run), state);
    for (const tell of this.#listeners) tell(state);
  }

  async list(): Promise<readonly RunSummary[]> {
    return [...this.#states.values()].map(({ run, status, startedAt, seconds, of, about, curve }) => {
      const last = curve.findLast(({ split }) => split === 'test');
      const canResume = status === 'ended' || status === 'failed';
      return {
        run,
        status,
        startedAt,
        seconds,
        of,
        about,
        ...(last && { last }),
        bytes: 48_000_000,
        canResume,
      };
    });
  }

  async start(_config: Config, { from }: StartOptions = {}): Promise<RunId> {
    const run = runId(`run-${this.#states.size + 1}`);
    this.asked.push(`start ${run}${from === undefined ? '' : ` from ${from}`}`);
    this.show(playedState(0, { run }));
    return run;
  }

  async resume(run: RunId, seconds?: number): Promise<void> {
    this.asked.push(`resume ${run} ${seconds ?? ''}`.trim());
    this.#become(run, 'running', 'ended', 'failed');
  }

  async pause(run: RunId): Promise<void> {
    this.asked.push(`pause ${run}`);
    this.#become(run, 'paused', 'running');
  }

  async continue(run: RunId): Promise<void> {
    this.asked.push(`continue ${run}`);
    this.#become(run, 'running', 'paused');
  }

  async stop(run: RunId): Promise<void> {
    this.asked.push(`stop ${run}`);
    this.#become(run, 'ended', 'running', 'paused');
  }

  async delete(run: RunId, { withPool }: { readonly withPool: boolean }): Promise<void> {
    this.asked.push(`delete ${run}${withPool ? ' with its members of the pool' : ''}`);
    if (this.#states.get(run)?.status === 'running')
      throw new Error(`The run '${run}' is running: stop it before it is deleted.`);
    this.#states.delete(run);
  }

  state(run: RunId): RunState | undefined {
    return this.#states.get(run);
  }

  async compare(runs: readonly RunId[]): Promise<string> {
    this.asked.push(`compare ${runs.join(' ')}`);
    return `<!doctype html><title>${runs.join(' against ')}</title>`;
  }

  watch(listener: (state: RunState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async judge(run: RunId, trajectory: TrajectoryId, success: boolean | null, who: string): Promise<void> {
    this.asked.push(`judge ${run} ${trajectory} ${success} ${who}`);
  }

  async accept(trajectory: TrajectoryId, who: string): Promise<void> {
    this.asked.push(`accept ${trajectory} ${who}`);
  }

  async reject(trajectory: TrajectoryId, who: string): Promise<void> {
    this.asked.push(`reject ${trajectory} ${who}`);
  }

  async poolChanged(trajectory: TrajectoryId): Promise<void> {
    this.asked.push(`pool changed ${trajectory}`);
  }

  #address(): HostAddress {
    return { address: `http://127.0.0.1:7422#token-${this.#tokens}`, isLocalOnly: true };
  }

  #become(run: RunId, status: Status, ...from: readonly Status[]): void {
    const state = this.#states.get(run);
    if (state === undefined) throw new Error(`There is no run '${run}'.`);
    if (!from.includes(state.status))
      throw new Error(`The run '${run}' is ${state.status}: it must be ${from.join(' or ')} for that.`);
    this.show({ ...state, status });
  }
}
