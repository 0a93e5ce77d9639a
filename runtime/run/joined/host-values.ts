// The daemon's check of what joined hosts send. A wrong value is dropped and counted against its host; a host with several is refused. The
// order of a dropped trajectory is played again once its host has completed it (sent-orders.ts).

import { requireSoundStep } from '../../agents/compact/untrusted-step.ts';
import { COMPACT_AGENT } from '../../core/agent.ts';
import { messageOf, sentenceOf } from '../../core/errors.ts';
import type { Event } from '../../core/event.ts';
import type { OrderId, RunId, Version } from '../../core/ids.ts';
import type { Lesson } from '../../core/lesson.ts';
import type { Mode } from '../../core/policy.ts';
import type { Step } from '../../core/step.ts';
import { trainingChoice } from '../../core/trace.ts';
import type { Trajectory } from '../../core/trajectory.ts';
import type { View } from '../../core/view.ts';
import type { HostGuard } from '../../fabric/nats/host-guard.ts';
import { MAX_HOST_DESKTOPS } from '../../hosts/messages.ts';
import { desktopNumber } from '../../protocol/desktop-title.ts';
import { compactTrajectory, desktopView, foundLesson, hostEvent, modelTrajectory } from './host-schemas.ts';
import { parsed } from './parsed-value.ts';
import type { SentOrders } from './sent-orders.ts';
import { requireSoundTurns } from './untrusted-turns.ts';

export interface HostValuesOptions {
  readonly run: RunId;
  /** The kind of observation that the run trains on. */
  readonly mode: Mode;
  /** That the run trains. */
  readonly agent: string;
  readonly health: (thing: string, healthy: boolean, message: string) => void;
  /** Nothing of this host is accepted any more. */
  readonly refused: (host: string, why: string) => void;
  readonly orders: Pick<SentOrders, 'find' | 'finished' | 'isForgotten'>;
}

/** The host of an older or newer version sends more of them soon. */
const MAX_WRONG_VALUES = 8;
/** A host has about forty. */
const MAX_METRICS = 500;

interface HostRecord {
  wrong: number;
  isRefused: boolean;
  readonly metrics: Set<string>;
}

export class HostValues implements HostGuard {
  readonly #options: HostValuesOptions;
  readonly #hosts = new Map<string, HostRecord>();
  #newest: Version | undefined;

  constructor(options: HostValuesOptions) {
    this.#options = options;
  }

  /** Hosts may decide with it from now on. */
  published(newest: Version): void {
    if (this.#newest === undefined || newest > this.#newest) this.#newest = newest;
  }

  accept(channel: string, value: unknown, host: string): { readonly value: unknown } | undefined {
    // The late result of a host that slept.
    if (channel === 'trajectories' && this.#options.orders.isForgotten(orderIn(value))) return undefined;
    if (!this.#recordOf(host).isRefused)
      try {
        const checked = this.#checked(channel, value, host);
        if (channel === 'trajectories') this.#options.orders.finished(orderIn(value));
        return { value: checked };
      } catch (error) {
        this.#count(channel, host, messageOf(error));
      }
    return undefined;
  }

  unreadable(channel: string, host: string, error: Error): void {
    if (!this.#recordOf(host).isRefused) this.#count(channel, host, messageOf(error));
  }

  #checked(channel: string, value: unknown, host: string): unknown {
    switch (channel) {
      case 'trajectories':
        return this.#trajectory(parsed(this.#isModel ? modelTrajectory : compactTrajectory, value));
      case 'lessons':
        return this.#lesson(parsed(foundLesson, value));
      case 'events':
        return this.#event(parsed(hostEvent, value), host);
      case 'views':
        return view(parsed(desktopView, value), host);
      default:
        throw new RangeError('hosts may not send values to this channel');
    }
  }

  #trajectory(trajectory: Trajectory): Trajectory {
    const { order: id, steps, maxSteps, frames } = trajectory;
    const order = this.#options.orders.find(id);
    if (order === undefined) throw new RangeError(`it has the order '${id}', which this epoch did not send`);
    if (!/^\.[1-9]\d{0,5}$/.test(trajectory.id.slice(order.id.length)) || !trajectory.id.startsWith(order.id))
      throw new RangeError(`its id '${trajectory.id}' is not one of the order '${id}'`);
    for (const [field, sent, wanted] of [
      ['run', trajectory.run, this.#options.run],
      ['group', trajectory.group, order.group],
      ['task', trajectory.instance.task, order.instance.task],
      ['seed', trajectory.instance.seed, order.instance.seed],
      ['purpose', trajectory.purpose, order.purpose],
      ['mode', trajectory.mode, order.mode],
      ['step limit', maxSteps, order.maxSteps],
    ])
      if (sent !== wanted)
        throw new RangeError(`its ${field} is '${sent}', and that of its order '${id}' is '${wanted}'`);
    if (steps.length > maxSteps) throw new RangeError(`it has ${steps.length} steps of at most ${maxSteps}`);
    if (frames.kind === 'png' && frames.images.length > steps.length + 1)
      throw new RangeError(`it has ${frames.images.length} frames for ${steps.length} steps`);
    if (trajectory.outcome.kind === 'judged' && steps.length === 0)
      throw new RangeError('it is judged without a step');
    for (const { chosen } of steps)
      if (chosen === undefined || this.#newest === undefined || chosen.version > this.#newest)
        throw new RangeError(`a step has the weights ${chosen?.version}, and the newest are ${this.#newest}`);
    if (this.#isModel) requireSoundTurns(trajectory, this.#options.agent);
    else for (const step of steps) requireSound(step, order.mode);
    return trajectory;
  }

  get #isModel(): boolean {
    return this.#options.agent !== COMPACT_AGENT;
  }

  #lesson(lesson: Lesson): Lesson {
    if (this.#isModel) throw new RangeError('the run trains a model, which has no lessons');
    for (const { observation, choice } of lesson.steps)
      requireSoundStep(observation, choice, this.#options.mode);
    return lesson;
  }

  /** Under the name of the host that sent it, whatever name it has. */
  #event(event: Event, host: string): Event {
    const { metrics } = this.#recordOf(host);
    if (event.kind === 'metric') metrics.add(event.name);
    if (metrics.size > MAX_METRICS) throw new RangeError(`it has more than ${MAX_METRICS} metrics`);
    return { ...event, host };
  }

  #recordOf(host: string): HostRecord {
    const known = this.#hosts.get(host);
    if (known !== undefined) return known;
    const record = { wrong: 0, isRefused: false, metrics: new Set<string>() };
    this.#hosts.set(host, record);
    return record;
  }

  #count(channel: string, host: string, why: string): void {
    const record = this.#recordOf(host);
    record.wrong += 1;
    const { health, refused } = this.#options;
    const thing = `the host '${host}'`;
    const dropped = `A value for '${channel}' is wrong and was dropped: ${sentenceOf(why)}`;
    if (record.wrong < MAX_WRONG_VALUES) {
      health(thing, false, `${dropped} Install the same version of Dartboard on all machines.`);
      return;
    }
    record.isRefused = true;
    const last = `The daemon dropped ${record.wrong} wrong values of the host '${host}' and accepts no more from it. The last one, for '${channel}': ${sentenceOf(why)} Install the same version of Dartboard on all machines, and join again.`;
    health(thing, false, last);
    refused(host, last);
  }
}

const orderIn = (value: unknown): OrderId | undefined =>
  typeof value === 'object' && value !== null && 'order' in value ? (value.order as OrderId) : undefined;

function requireSound({ observation, chosen }: Step, mode: Mode): void {
  const choice = chosen && trainingChoice(chosen.trace);
  if (observation === undefined || choice === undefined)
    throw new RangeError('a step has no observation or no decision');
  requireSoundStep(observation, choice, mode);
}

function view(value: View, host: string): View {
  const number = desktopNumber(value.desktop);
  // With leading zeros, a desktop would have any number of names.
  if (value.desktop !== `${host}-d${number - 1}`)
    throw new RangeError(`it shows the desktop '${value.desktop}', which is not one of this host`);
  // Pages keep a picture of each.
  if (number > MAX_HOST_DESKTOPS)
    throw new RangeError(
      `it shows the desktop '${value.desktop}', and a host has at most ${MAX_HOST_DESKTOPS} desktops`,
    );
  return value;
}
