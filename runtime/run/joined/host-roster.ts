// The hosts of a run, collected from their events: what each one does, and their metrics combined to those of the run. For display only.
//
// Laws: a counter of the run is the sum over all hosts that ever played, and the work of a host that starts again is counted once. Gauges
// and shares are those of the hosts that are present.

import type { Event, HostReport } from '../../core/event.ts';
import { sum } from '../../core/sum.ts';
import type { HostState } from '../../protocol/daemon/hosts.ts';
import { Rate } from '../rate.ts';
import { MonotonicCounter } from './monotonic-counter.ts';

/** The machine of the daemon. No joined host has this name. */
export const LOCAL_HOST = 'local';

/** Five reports that are missing. */
const LOST_AFTER_MS = 10_000;
const LISTED_WHILE_LOST_MS = 10 * 60_000;
/** Every delay of a report makes its sender's clock look slow, so the highest of the last offsets is the best. */
const OFFSETS = 10;

const EPISODES = 'rollout/episodes';
const STEPS = 'rollout/all_steps';
/** Whole numbers that a host's process counts from its start. The counters `processor/…` are in seconds. */
const COUNTERS: readonly string[] = [EPISODES, STEPS, 'env/explored_steps'];
const WORKERS = 'rollout/workers';

interface RosterEntry {
  readonly name: string;
  /** The last value of each metric. A counter has the total of all processes of the host. */
  readonly metrics: Map<string, number>;
  readonly counters: Map<string, MonotonicCounter>;
  readonly perSecond: { readonly episodes: Rate; readonly steps: Rate };
  seenAt: number;
  stay: Stay | undefined;
  hasLeft: boolean;
}

/** From its first report until it leaves. */
interface Stay {
  readonly since: number;
  /** Of earlier stays under the same name. */
  readonly stepsBefore: number;
  readonly offsets: readonly number[];
  readonly report: HostReport;
}

export class HostRoster {
  readonly #entries = new Map<string, RosterEntry>();

  /** `heardAt`: by the clock of the daemon. */
  hear(event: Event, heardAt: number): void {
    if (event.kind !== 'host' && event.kind !== 'metric') return;
    const entry = this.#entryOf(event.host ?? LOCAL_HOST);
    entry.seenAt = heardAt;
    if (event.kind === 'metric') recordMetric(entry, event.name, event.value, event.at);
    else if (event.phase === 'left') Object.assign(entry, { hasLeft: true, stay: undefined });
    else Object.assign(entry, { hasLeft: false, stay: continued(entry, event, heardAt) });
  }

  /** The training episodes and steps of all hosts. */
  get episodes(): number {
    return sum(this.#all.map(({ metrics }) => metrics.get(EPISODES) ?? 0));
  }

  get steps(): number {
    return sum(this.#all.map(({ metrics }) => metrics.get(STEPS) ?? 0));
  }

  perSecond(of: keyof RosterEntry['perSecond'], now: number): number {
    return sum(this.#present(now).map(entry => entry.perSecond[of].perSecond));
  }

  /** Desktops of hosts that have joined. */
  joinedDesktops(now: number): number {
    return sum(this.#present(now).map(({ name, stay }) => (name === LOCAL_HOST ? 0 : desktopsOf(stay))));
  }

  /** The combined value of each metric, by name. */
  metrics(now: number): Readonly<Record<string, number>> {
    const present = this.#present(now);
    const names = new Set(this.#all.flatMap(({ metrics }) => [...metrics.keys()]));
    return Object.fromEntries(
      [...names].flatMap(name => {
        const value = combined(name, isCounter(name) ? this.#all : present);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  }

  /** The local one first, then in the order in which they joined. Empty for a run on one machine. */
  states(now: number): readonly HostState[] {
    return this.#all
      .flatMap(entry => (entry.stay === undefined ? [] : [{ ...entry, stay: entry.stay }]))
      .filter(({ seenAt }) => now - seenAt <= LISTED_WHILE_LOST_MS)
      .sort((one, other) => rank(one.name) - rank(other.name) || one.stay.since - other.stay.since)
      .map(entry => stateOf(entry, isPresent(entry, now)));
  }

  get #all(): readonly RosterEntry[] {
    return [...this.#entries.values()];
  }

  #present(now: number): readonly RosterEntry[] {
    return this.#all.filter(entry => isPresent(entry, now));
  }

  #entryOf(name: string): RosterEntry {
    const known = this.#entries.get(name);
    if (known !== undefined) return known;
    const entry = {
      ...{ name, metrics: new Map(), counters: new Map() },
      perSecond: { episodes: new Rate(), steps: new Rate() },
      ...{ seenAt: 0, stay: undefined, hasLeft: false },
    };
    this.#entries.set(name, entry);
    return entry;
  }
}

function recordMetric(
  { metrics, counters, perSecond }: RosterEntry,
  name: string,
  value: number,
  at: number,
): void {
  if (!Number.isFinite(value)) return;
  if (!isCounter(name)) {
    metrics.set(name, value);
    return;
  }
  const counter = counters.get(name) ?? new MonotonicCounter();
  counters.set(name, counter);
  counter.record(COUNTERS.includes(name) ? Math.round(value) : value);
  metrics.set(name, counter.count);
  if (name === EPISODES) perSecond.episodes.record(value, at);
  if (name === STEPS) perSecond.steps.record(value, at);
}

function continued(
  { stay, metrics }: RosterEntry,
  { at, ...report }: HostReport & { readonly at: number },
  heardAt: number,
): Stay {
  const { latencyMs } = report;
  const offset = latencyMs === undefined ? [] : [at + latencyMs / 2 - heardAt];
  return {
    since: stay?.since ?? heardAt,
    stepsBefore: stay?.stepsBefore ?? metrics.get(STEPS) ?? 0,
    offsets: [...(stay?.offsets ?? []), ...offset].slice(-OFFSETS),
    report,
  };
}

/** The host of a run on one machine sends no reports. Its supervisor reports its end. */
const isPresent = ({ name, seenAt, stay, hasLeft }: RosterEntry, now: number): boolean =>
  !hasLeft && ((name === LOCAL_HOST && stay === undefined) || now - seenAt <= LOST_AFTER_MS);

function stateOf(
  { name, stay, seenAt, metrics, perSecond }: RosterEntry & { readonly stay: Stay },
  isHere: boolean,
): HostState {
  const { phase, desktops, playing, workers, version, latencyMs } = stay.report;
  return {
    name,
    status: !isHere ? 'lost' : phase === 'draining' ? 'draining' : 'playing',
    isLocal: name === LOCAL_HOST,
    ...{ desktops, playing: isHere ? playing : 0, workers },
    steps: (metrics.get(STEPS) ?? 0) - stay.stepsBefore,
    stepsPerS: isHere ? perSecond.steps.perSecond : 0,
    ...(stay.offsets.length > 0 && { clockOffsetMs: Math.max(...stay.offsets) }),
    ...(latencyMs !== undefined && { latencyMs }),
    ...{ version, sinceMs: stay.since, seenMs: seenAt },
  };
}

function combined(name: string, entries: readonly RosterEntry[]): number | undefined {
  const values = entries.flatMap(entry => {
    const value = entry.metrics.get(name);
    return value === undefined ? [] : [{ value, weight: weightOf(name, entry) }];
  });
  if (values.length <= 1) return values[0]?.value;
  const all = sum(values.map(({ value }) => value));
  if (isCounter(name) || name === WORKERS) return all;
  const weight = sum(values.map(each => each.weight));
  return weight === 0 ? all / values.length : sum(values.map(each => each.value * each.weight)) / weight;
}

const isCounter = (name: string): boolean => COUNTERS.includes(name) || name.startsWith('processor/');

/** A share is one of the time of all desktops, or of all workers. */
const weightOf = (name: string, { stay, metrics }: RosterEntry): number =>
  name.startsWith('env/') ? desktopsOf(stay) : (metrics.get(WORKERS) ?? 1);

const desktopsOf = (stay: Stay | undefined): number => stay?.report.desktops ?? 1;

const rank = (name: string): number => (name === LOCAL_HOST ? 0 : 1);
