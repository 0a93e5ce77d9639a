// The channels of the daemon in a run on several machines. Those that no joined host uses are embedded ones.

import type { Msg } from '@nats-io/transport-node';
import type { BlobHash } from '../../blobs/blobs.ts';
import { openWork } from '../../lease/nats/streams.ts';
import type { ChannelFactory, Log, Register, Topic, WorkQueue } from '../channels.ts';
import { EmbeddedQueue } from '../embedded/queue.ts';
import { EmbeddedRegister } from '../embedded/register.ts';
import { EmbeddedTopic } from '../embedded/topic.ts';
import { BufferedLeases } from './buffered-leases.ts';
import { UnfitValue } from './codec.ts';
import type { HostGuard } from './host-guard.ts';
import { IntakeQueue } from './intake.ts';
import { PublishedLog } from './logs.ts';
import { leasedQueue, leasesOf, type Member } from './member.ts';
import {
  FOLLOWED_REGISTERS,
  HEARD_TOPICS,
  INTAKE_QUEUES,
  includes,
  isInbox,
  LEASED_QUEUES,
  senderOf,
} from './names.ts';
import { PublishedRegister } from './registers.ts';
import { HeardTopic } from './topics.ts';

interface Closable {
  close(): void | Promise<void>;
}

export class DaemonChannels implements ChannelFactory {
  readonly #member: Member;
  readonly #guard: HostGuard;
  readonly #created: Closable[] = [];
  readonly #leases = new Map<string, Pick<BufferedLeases<unknown>, 'completed' | 'forget'>>();
  readonly #intakes = new Map<string, Pick<IntakeQueue<unknown>, 'depth' | 'caughtUp'>>();
  readonly #registers: { readonly blobs: readonly BlobHash[] }[] = [];

  constructor(member: Member, guard: HostGuard) {
    this.#member = member;
    this.#guard = guard;
    this.#answerDepths();
  }

  queue<T>(name: string): WorkQueue<T> {
    if (includes(LEASED_QUEUES, name)) {
      const { broker, names } = this.#member;
      const leases = new BufferedLeases<T>({
        ...{ name, broker, leases: leasesOf<T>(name, this.#member) },
        open: () => broker.persist(() => openWork(broker.jsm, names.stream(name))),
      });
      this.#leases.set(name, leases);
      return this.#keep(leasedQueue(name, leases, this.#member));
    }
    if (!includes(INTAKE_QUEUES, name)) return this.#keep(new EmbeddedQueue<T>(name));
    const { names, beside } = this.#member;
    const options = { ...this.#member, name, stream: names.stream(name), guard: this.#guard };
    const queue = this.#keep(new IntakeQueue<T>(options));
    this.#intakes.set(name, queue);
    beside(queue.run());
    return queue;
  }

  register<T>(name: string): Register<T> {
    if (!includes(FOLLOWED_REGISTERS, name)) return this.#keep(new EmbeddedRegister<T>(name));
    const { names } = this.#member;
    const register = new PublishedRegister<T>({ ...this.#member, name, subject: names.register(name) });
    this.#registers.push(register);
    return this.#keep(register);
  }

  log<T>(name: string): Log<T> {
    const { names } = this.#member;
    const [stream, subject] = [names.stream(name), names.streamed(name)];
    return this.#keep(new PublishedLog<T>({ ...this.#member, name, stream, subject }));
  }

  topic<T>(name: string): Topic<T> {
    if (!includes(HEARD_TOPICS, name)) return this.#keep(new EmbeddedTopic<T>());
    const { names } = this.#member;
    const subject = names.topic(name, '*');
    return this.#keep(new HeardTopic<T>({ ...this.#member, name, subject, guard: this.#guard }));
  }

  /** The blobs that the registers refer to. */
  referenced(): ReadonlySet<BlobHash> {
    return new Set(this.#registers.flatMap(({ blobs }) => blobs));
  }

  /** Of a queue of leases: what was completed since the last call. All that its holders had put into `results` before has arrived. */
  async completed(name: (typeof LEASED_QUEUES)[number], results: (typeof INTAKE_QUEUES)[number]) {
    const leases = this.#leases.get(name);
    const completed = (await leases?.completed()) ?? [];
    if (completed.length > 0) await this.#intakes.get(results)?.caughtUp();
    leases?.forget(completed.map(([id]) => id));
    return completed.map(([, work]) => work);
  }

  async close(): Promise<void> {
    await Promise.all(this.#created.map(channel => channel.close()));
  }

  #keep<C extends Closable>(channel: C): C {
    this.#created.push(channel);
    return channel;
  }

  /** Hosts stop exploring when the trainer has enough lessons. */
  #answerDepths(): void {
    const { names, broker } = this.#member;
    for (const name of INTAKE_QUEUES)
      broker.connection.subscribe(names.depth(name, '*'), {
        callback: (error, message) => {
          if (error === null) void this.#answerDepth(name, message);
        },
      });
  }

  async #answerDepth(name: string, message: Msg): Promise<void> {
    const { reply = '' } = message;
    // The host chooses the address of the reply, but the reply has the permissions of the daemon.
    if (!isInbox(reply))
      return this.#guard.unreadable(
        name,
        senderOf(message.subject),
        new UnfitValue(
          `A request for a depth wants its reply at '${reply}', which is not an inbox. Send the request with an address that begins with '_INBOX'.`,
        ),
      );
    const depth = await this.#intakes.get(name)?.depth();
    if (depth !== undefined) message.respond(JSON.stringify(depth));
  }
}
