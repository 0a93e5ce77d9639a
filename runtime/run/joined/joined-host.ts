// A machine that plays for the run of another one: it joins, starts a host under supervision, drains when it is asked to, and joins again
// after the daemon or the run has ended. The host's process gets the channels as on the daemon's machine, and knows nothing of the broker.

import { version } from '../../../package.json';
import type { Config } from '../../config/config.ts';
import { type Clock, sleepUnlessAborted } from '../../core/clock.ts';
import { messageOf, sentenceOf } from '../../core/errors.ts';
import type { Event, HostReport } from '../../core/event.ts';
import type { LoanReply, LoanRequest } from '../../core/loan.ts';
import type { ModelAnswer, ModelQuestion } from '../../core/model-question.ts';
import { retry } from '../../core/retry.ts';
import { failureOf, orUndefinedWhenAborted, untilAborted } from '../../core/run-together.ts';
import type { Topic } from '../../fabric/channels.ts';
import { EmbeddedQueue } from '../../fabric/embedded/queue.ts';
import { EmbeddedTopic } from '../../fabric/embedded/topic.ts';
import type { Fabric } from '../../fabric/fabric.ts';
import { GatedQueue } from '../../fabric/gated-queue.ts';
import { type NatsFabric, openNatsFabric } from '../../fabric/nats/nats.ts';
import { ForeignReply, TemporaryRefusal } from '../../hosts/host-requests.ts';
import { JoinRefused, joinRun, type Membership } from '../../hosts/join.ts';
import type { HostOffers } from '../../hosts/messages.ts';
import { type HostModuleOptions, startHost } from '../modules.ts';
import { configHere, type JoinedStart, readJoinedStart, requireTasks, withReceived } from './joined-start.ts';
import { carryLoans } from './loan-carrier.ts';
import { OpenLoans } from './open-loans.ts';
import { carryQuestions } from './question-courier.ts';
import { type ReceivedTasks, receiveTasks } from './received-tasks.ts';

export interface JoinedHostOptions {
  /** URL#TOKEN, from the daemon. */
  readonly address: string;
  /** The wanted name; the daemon may add a suffix. */
  readonly name: string;
  readonly offers: HostOffers;
  /** The configuration of this machine for the kind of desktops and the task files of a run. */
  readonly configOf: (run: Config) => Promise<Config>;
  readonly entries: HostModuleOptions['entries'];
  readonly clock: Clock;
  readonly say: (text: string) => void;
  /** Asks it to finish its episodes and to leave. */
  readonly leave: AbortSignal;
}

const REJOIN_DELAY_MS = 1000;

/**
 * Plays until it leaves. Rejects when the first attempt to join fails, unless the daemon cannot admit the host now, or another server answers
 * instead of the daemon and does not refuse the request; when the daemon refuses; or when this machine has no such desktops.
 */
export async function playJoined(options: JoinedHostOptions): Promise<void> {
  const { leave, say, clock } = options;
  const first = await joinRepeatedly(options, isFinalAtFirst);
  for (let joined = first; joined !== undefined; joined = await joinRepeatedly(options, isRefusal)) {
    const over = await played(joined, options);
    if (over === undefined || leave.aborted) return say(`Left the run '${joined.start.run}'.`);
    say(`${sentenceOf(over)} Joining again.`);
    // The daemon may be ending, and still accept it.
    await sleepUnlessAborted(clock, REJOIN_DELAY_MS, leave);
  }
}

/** A membership with what it needs to play. */
interface Joined {
  readonly membership: Membership;
  readonly fabric: NatsFabric;
  /** With the configuration for this machine. */
  readonly start: JoinedStart;
  readonly received: ReceivedTasks | undefined;
}

async function join(options: JoinedHostOptions): Promise<Joined> {
  const { address, name, offers, clock, leave: signal, say, configOf } = options;
  const health = (thing: string, _healthy: boolean, message: string) => say(`${thing}: ${message}`);
  const membership = await joinRun({ address, name, program: version, offers, clock, health, signal });
  // Leaving ends the wait for the task files.
  const leave = () => void membership.leave();
  signal.addEventListener('abort', leave, { once: true });
  let received: ReceivedTasks | undefined;
  try {
    const start = readJoinedStart(membership.start);
    received = start.taskFiles && (await receiveTasks(start.taskFiles, membership.blobs, say));
    const described = withReceived(start.config, received);
    const config = configHere(described, await configOf(described), offers, received);
    await requireTasks(config, start.tasks);
    const { access, epoch, host, blobs } = membership;
    const fabric = await openNatsFabric({
      ...{ access, run: start.run, epoch, role: 'host', member: host, blobs, clock, health },
    });
    return { membership, fabric, start: { ...start, config }, received };
  } catch (error) {
    await membership.leave();
    await received?.remove();
    throw error;
  } finally {
    signal.removeEventListener('abort', leave);
  }
}

/** A daemon may be busy, and a proxy may answer with a page, for a while. A proxy that refuses the request is at a wrong address. */
const isFinalAtFirst = (error: Error): boolean =>
  error instanceof ForeignReply ? error.isRefusal : !(error instanceof TemporaryRefusal);

/** This machine cannot play the run. A daemon, a broker or a proxy that does not work now may work later. */
const isRefusal = (error: Error): boolean => error instanceof JoinRefused || error instanceof RangeError;

/** Undefined when it was asked to leave meanwhile. Rejects with the first final error. */
function joinRepeatedly(
  options: JoinedHostOptions,
  isFinal: (error: Error) => boolean,
): Promise<Joined | undefined> {
  const { clock, leave: signal, say } = options;
  let reported: string | undefined;
  const failed = (error: Error, failures: number, delayMs: number) => {
    if (isFinal(error)) throw error;
    const reason = sentenceOf(error);
    const later = failures === 1 ? ', then less often' : '';
    if (reason !== reported) say(`${reason} It is tried again in ${delayMs / 1000} s${later}.`);
    reported = reason;
  };
  return orUndefinedWhenAborted(
    signal,
    retry(() => join(options), { clock, signal, failed }),
  );
}

/** Returns the reason why the membership is over; undefined if it was asked to leave before. */
async function played(joined: Joined, options: JoinedHostOptions): Promise<string | undefined> {
  const { membership, fabric, received } = joined;
  try {
    return await playedUntil(joined, options);
  } finally {
    try {
      await fabric.close();
    } finally {
      await membership.leave();
      await received?.remove();
    }
  }
}

async function playedUntil(
  { membership, fabric, start }: Joined,
  { clock, say, offers, entries, leave }: JoinedHostOptions,
): Promise<string | undefined> {
  const { run, host, config, tasks, shape, prompted } = start;
  const orders = new GatedQueue('orders', fabric.orders);
  const presence = new Presence({ host, fabric, clock, say });
  // Over HTTP: they have screens, and wait for an answer.
  const posted = {
    questions: new EmbeddedQueue<ModelQuestion>('questions'),
    answers: new EmbeddedQueue<ModelAnswer>('answers'),
    loans: new EmbeddedQueue<LoanRequest>('loans'),
    loaned: new EmbeddedTopic<LoanReply>(),
  };
  const supervised = startHost(
    { run, config, tasks, shape, entries, clock },
    { ...fabric, ...posted, orders, events: presence.events },
    () => ({ isFirst: false, isTrained: true, host, ...(prompted !== undefined && { prompted }) }),
  );
  const stop = new AbortController();
  const carried = { fabric: posted, membership, clock };
  const lent = new OpenLoans();
  const carrying = Promise.all([
    carryQuestions(carried, stop.signal),
    carryLoans({ ...carried, open: lent }, stop.signal),
  ]);
  const over = [membership.over, fabric.ended];
  const reasonOfEnd = async (): Promise<string> => {
    await untilAborted(...over);
    const reason: unknown = over.find(({ aborted }) => aborted)?.reason;
    if (reason instanceof JoinRefused) throw reason;
    return messageOf(reason);
  };
  const wish = Promise.race([untilAborted(leave), untilDrained(start, fabric, stop.signal)]);
  // Without the loans or the questions this host is of no use, and nobody else learns of the failure.
  const broken = failureOf(carrying);
  const end = Promise.race([wish, reasonOfEnd(), broken]);
  try {
    const ready = supervised.ready.then(() => true);
    const hasJoined = await Promise.race([ready, end.then(() => false)]).catch(error => {
      // Without channels no host gets ready.
      if (!over.some(({ aborted }) => aborted)) throw error;
      return false;
    });
    if (hasJoined) say(`Joined the run '${run}' as '${host}', with ${offers.desktops} desktops.`);
    const reason = await end;
    if (reason !== undefined) return reason;
    presence.becomes('draining');
    say('Finishing its episodes. Ctrl-C again ends at once; others then play them.');
    const finished = async (): Promise<undefined> => {
      await orders.drain();
      if (lent.size > 0) say('Waiting for a person who uses one of its desktops.');
      await lent.returned();
    };
    // A host that was drained does not join again, also if its run ends first.
    const ended = reasonOfEnd().then(() => undefined);
    return await Promise.race([finished(), ended, broken]);
  } finally {
    stop.abort();
    await supervised.close();
    // Its failure has ended the race above.
    await carrying.catch(() => undefined);
    presence.becomes('left');
  }
}

/** Resolves when a command asks this host to leave. */
async function untilDrained(
  { run, host, at }: JoinedStart,
  { commands }: Pick<Fabric, 'commands'>,
  stop: AbortSignal,
): Promise<void> {
  try {
    for await (const { entry } of commands.read(0, stop))
      if (entry.kind === 'drain' && entry.run === run && entry.host === host && entry.at >= at) return;
  } catch {
    // The fabric reports its end itself.
  }
  await untilAborted(stop);
}

interface PresenceOptions extends Pick<JoinedHostOptions, 'clock' | 'say'> {
  readonly host: string;
  readonly fabric: NatsFabric;
}

/** Stamps the events of the host with its name, and its reports with what this process knows. */
class Presence {
  readonly events: Topic<Event>;
  readonly #options: PresenceOptions;
  #phase: HostReport['phase'] = 'playing';
  #latencyMs: number | undefined;
  #last: Extract<Event, { kind: 'host' }> | undefined;

  constructor(options: PresenceOptions) {
    this.#options = options;
    this.events = {
      publish: event => this.#publish(event),
      listen: listening => options.fabric.events.listen(listening),
    };
  }

  /** Reports it at once. */
  becomes(phase: HostReport['phase']): void {
    this.#phase = phase;
    if (this.#last !== undefined) this.#publish({ ...this.#last, at: this.#options.clock.now() });
  }

  #publish(event: Event): void {
    const { host, fabric } = this.#options;
    const { events } = fabric;
    if (event.kind === 'health') this.#options.say(`${event.thing}: ${event.message}`);
    if (event.kind !== 'host') {
      events.publish({ ...event, host });
      return;
    }
    this.#last = event;
    void this.#measure();
    events.publish({
      ...{ ...event, host, phase: this.#phase },
      ...(this.#latencyMs !== undefined && { latencyMs: this.#latencyMs }),
    });
  }

  async #measure(): Promise<void> {
    // Without the broker there is no latency.
    this.#latencyMs = await this.#options.fabric.roundTripMs().catch(() => undefined);
  }
}
