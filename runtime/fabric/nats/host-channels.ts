// The channels of a joined host. It takes orders, puts results and follows the daemon; every other use is an error.

import type { ChannelFactory, Log, Register, Topic, WorkQueue } from '../channels.ts';
import { absent, absentQueue, absentRegister, absentTopic } from './absent.ts';
import { FollowedLog } from './logs.ts';
import { leasedQueue, leasesOf, type Member } from './member.ts';
import {
  FOLLOWED_REGISTERS,
  HEARD_TOPICS,
  INTAKE_QUEUES,
  includes,
  LEASED_QUEUES,
  memberToken,
} from './names.ts';
import { Outbox } from './outbox.ts';
import { FollowedRegister } from './registers.ts';
import { SentTopic } from './topics.ts';

export class HostChannels implements ChannelFactory {
  readonly #member: Member;
  readonly #leased: { close(): Promise<void> }[] = [];
  readonly #outboxes: { sent(): Promise<void> }[] = [];
  readonly #followed: { close(): void }[] = [];

  constructor(member: Member) {
    this.#member = member;
  }

  queue<T>(name: string): WorkQueue<T> {
    const { name: member, names } = this.#member;
    if (includes(LEASED_QUEUES, name)) {
      const queue = leasedQueue<T>(name, leasesOf(name, this.#member), this.#member);
      this.#leased.push(queue);
      return {
        put: async () => absent(name, 'put into'),
        taker: () => queue.taker(),
        depth: () => queue.depth(),
      };
    }
    if (!includes(INTAKE_QUEUES, name)) return absentQueue(name);
    const token = memberToken(member);
    const [subject, depthSubject] = [names.put(name, token), names.depth(name, token)];
    const outbox = new Outbox<T>({ ...this.#member, name, subject, depthSubject });
    this.#outboxes.push(outbox);
    return outbox;
  }

  register<T>(name: string): Register<T> {
    if (!includes(FOLLOWED_REGISTERS, name)) return absentRegister(name);
    const { names } = this.#member;
    return this.#follow(new FollowedRegister<T>({ ...this.#member, name, subject: names.register(name) }));
  }

  log<T>(name: string): Log<T> {
    const { names, beside } = this.#member;
    const [stream, subject] = [names.stream(name), names.streamed(name)];
    const log = this.#follow(new FollowedLog<T>({ ...this.#member, name, stream, subject }));
    beside(log.run());
    return log;
  }

  topic<T>(name: string, keyOf?: (event: T) => string): Topic<T> {
    if (!includes(HEARD_TOPICS, name)) return absentTopic(name);
    const { name: member, names } = this.#member;
    const subject = names.topic(name, memberToken(member));
    return new SentTopic<T>({ ...this.#member, name, subject, ...(keyOf !== undefined && { keyOf }) });
  }

  /** Resolves when everything that was put is in the broker. */
  async sent(): Promise<void> {
    await Promise.all(this.#outboxes.map(outbox => outbox.sent()));
  }

  /** Gives back what its takers hold. */
  async giveBack(): Promise<void> {
    await Promise.all(this.#leased.map(queue => queue.close()));
  }

  /** Ends everything that follows the daemon. */
  endFollowing(): void {
    for (const channel of this.#followed) channel.close();
  }

  #follow<C extends { close(): void }>(channel: C): C {
    this.#followed.push(channel);
    return channel;
  }
}
