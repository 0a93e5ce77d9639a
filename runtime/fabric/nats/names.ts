// The names of a run in the broker: subjects, streams and buckets. Each contains the run and its epoch, so that a host of an ended epoch
// reaches nothing of the next one.

import { createHash, randomBytes } from 'node:crypto';
import type { RunId } from '../../core/ids.ts';

/** The daemon puts, and any host takes. */
export const LEASED_QUEUES = ['orders'] as const;
/** Any host puts, and only the daemon takes. */
export const INTAKE_QUEUES = ['trajectories', 'lessons'] as const;
/** The daemon sets, and hosts follow. */
export const FOLLOWED_REGISTERS = ['weights', 'rates', 'watched'] as const;
/** The daemon appends, and hosts follow. */
export const FOLLOWED_LOGS = ['commands'] as const;
/** Hosts publish, and only the daemon listens. */
export const HEARD_TOPICS = ['events', 'views'] as const;

export const includes = (list: readonly string[], name: string): boolean => list.includes(name);

/** Chosen at each start of a run: 8 hexadecimal digits. */
export const newEpoch = (): string => randomBytes(4).toString('hex');

export interface EpochOfRun {
  readonly run: RunId;
  readonly epoch: string;
}

/** The login of a host contains the token 23 times, and nats-server refuses lines of more than 4096 bytes. */
const MAX_TOKEN_LENGTH = 30;

/** A dot separates the tokens of a subject, and is invalid in the name of a stream. Different runs keep different names. */
function tokenOf(run: RunId): string {
  const escaped = run.replaceAll('_', '__').replaceAll('.', '_-');
  if (escaped.length <= MAX_TOKEN_LENGTH) return escaped;
  // No run begins with '_', so no other one has this name.
  return `_${createHash('sha256').update(run).digest('hex').slice(0, 16)}`;
}

export class BrokerNames {
  readonly #subject: string;
  readonly #name: string;

  constructor({ run, epoch }: EpochOfRun) {
    this.#subject = `dartboard.${tokenOf(run)}.${epoch}`;
    this.#name = `dartboard-${tokenOf(run)}-${epoch}`;
  }

  /** The stream of a queue or log. */
  stream(channel: string): string {
    return `${this.#name}-${channel}`;
  }

  /** The subject of the stream of a queue or log. */
  streamed(channel: string): string {
    return `${this.#subject}.stream.${channel}`;
  }

  /** One host puts there into a queue that only the daemon takes from; `*` for all. */
  put(channel: string, member: string): string {
    return `${this.streamed(channel)}.${member}`;
  }

  /** The bucket of the registers. */
  get registers(): string {
    return `${this.#name}-registers`;
  }

  /** The stream of that bucket, and the subject of one of its keys. */
  get registersStream(): string {
    return `KV_${this.registers}`;
  }

  register(channel: string): string {
    return `$KV.${this.registers}.${channel}`;
  }

  /** The events of one member of the run; `>` for all. */
  topic(channel: string, member: string): string {
    return `${this.#subject}.topic.${channel}.${member}`;
  }

  /** One host asks there for the depth of a queue, and the daemon answers; `*` for all. */
  depth(channel: string, member: string): string {
    return `${this.#subject}.depth.${channel}.${member}`;
  }
}

/**
 * True for the address of replies that a client chooses for itself, or that the server made of it for another account. No stream and no bucket
 * stores messages of such a subject.
 */
export const isInbox = (subject: string): boolean => /^(?:_INBOX|_R_)\./.test(subject);

/** As a token of a subject: a dot would separate two. */
export const memberToken = (member: string): string => member.replaceAll('.', '_');

/** The member that sent a message, by its subject. The broker lets a host with credentials of its own use no other name. */
export const senderOf = (subject: string): string => subject.split('.').at(-1) ?? '';

/** True for a stream of a run of Dartboard, on this machine or another one. */
export const isOfDartboard = (stream: string): boolean => /^(?:KV_)?dartboard-/.test(stream);

/** Streams of other epochs of the run, among all streams of a broker. */
export function streamsOfOtherEpochs(
  streams: readonly string[],
  { run, epoch }: EpochOfRun,
): readonly string[] {
  const ofRun = new RegExp(`^(?:KV_)?dartboard-${tokenOf(run)}-([0-9a-f]{8})-[a-z]+(?:-leases)?$`);
  return streams.filter(stream => {
    const [, found = epoch] = ofRun.exec(stream) ?? [];
    return found !== epoch;
  });
}
