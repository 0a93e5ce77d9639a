// Publishes how desktops and workers spent their time since the last report, and totals of episodes and steps.

import type { Clock } from '../../core/clock.ts';
import type { Event, Module } from '../../core/event.ts';
import { sum } from '../../core/sum.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import type { DesktopPool, DesktopTime } from '../../environments/pool.ts';
import type { Topic } from '../../fabric/channels.ts';
import type { HostPolicy } from './host-policy.ts';

export interface HostMeterOptions {
  readonly events: Pick<Topic<Event>, 'publish'>;
  readonly clock: Clock;
}

/** Milliseconds by use. */
type TimeByUse = Readonly<Record<string, number>>;

export class HostMeter {
  readonly #options: HostMeterOptions;
  #desktops: TimeByUse = {};
  #workers: TimeByUse = {};
  #episodes = 0;
  #steps = 0;
  #broken = 0;

  constructor(options: HostMeterOptions) {
    this.#options = options;
  }

  addTrajectory({ purpose, steps, outcome }: Trajectory): void {
    if (purpose !== 'train') return;
    this.#episodes += 1;
    this.#steps += steps.length;
    if (outcome.kind === 'broken') this.#broken += 1;
  }

  /** Reports the time since the last call. */
  publish(
    cluster: Pick<DesktopPool, 'timeSpent'>,
    policy: Pick<HostPolicy, 'account' | 'metrics' | 'servers'>,
    explored: number,
  ): void {
    const desktopTime: DesktopTime = cluster.timeSpent();
    const desktops = since(desktopTime, this.#desktops);
    this.#desktops = desktopTime;
    this.#metrics('environments', 'env', {
      occupancy: shareOf(desktops, ['stepping', 'waiting']),
      stepping: shareOf(desktops, ['stepping']),
      broken: shareOf(desktops, ['broken']),
      error_rate: this.#broken / Math.max(1, this.#episodes),
      explored_steps: explored,
    });
    const workers = policy.account();
    const all = summed(workers);
    const spent = since(all, this.#workers);
    this.#workers = all;
    this.#metrics('rollout', 'rollout', {
      workers: workers.length,
      utilisation: shareOf(spent, ['deciding', 'loading']),
      idle_ratio: shareOf(spent, ['idle']),
      episodes: this.#episodes,
      all_steps: this.#steps,
      ...policy.metrics(),
    });
    const servers = policy.servers?.();
    if (servers !== undefined)
      this.#options.events.publish({
        ...{ module: 'rollout', at: this.#options.clock.now(), kind: 'servers' },
        ...servers,
      });
  }

  #metrics(module: Module, prefix: string, values: Readonly<Record<string, number>>): void {
    const at = this.#options.clock.now();
    for (const [name, value] of Object.entries(values))
      this.#options.events.publish({ module, at, kind: 'metric', name: `${prefix}/${name}`, value });
  }
}

const since = (now: TimeByUse, before: TimeByUse): TimeByUse =>
  Object.fromEntries(Object.entries(now).map(([use, time]) => [use, time - (before[use] ?? 0)]));

function summed(all: readonly TimeByUse[]): TimeByUse {
  const total: Record<string, number> = {};
  for (const each of all)
    for (const [use, time] of Object.entries(each)) total[use] = (total[use] ?? 0) + time;
  return total;
}

/** 0 where no time has passed. */
function shareOf(spent: TimeByUse, uses: readonly string[]): number {
  const whole = sum(Object.values(spent));
  const part = sum(uses.map(use => spent[use] ?? 0));
  return whole > 0 ? Math.min(1, Math.max(0, part / whole)) : 0;
}
