// Connects the server for hosts with the desks of a run: questions to its model, and loans of desktops that joined hosts have.

import type { Blobs } from '../../blobs/blobs.ts';
import type { Config } from '../../config/config.ts';
import { COMPACT_AGENT } from '../../core/agent.ts';
import type { Clock } from '../../core/clock.ts';
import type { Version } from '../../core/ids.ts';
import { parsedJson } from '../../core/json.ts';
import type { LoanReply, LoanRequest } from '../../core/loan.ts';
import type { WorkQueue } from '../../fabric/channels.ts';
import type { Fabric } from '../../fabric/fabric.ts';
import { MAX_MESSAGE_BYTES, ValueCodec } from '../../fabric/nats/codec.ts';
import type { HostPost } from '../../hosts/host-answers.ts';
import { ASK_PATH, LOANED_PATH, LOANS_PATH } from '../../hosts/messages.ts';
import { LoanDesk } from './loan-desk.ts';
import { anyReply, fetchedAfter, replyTo } from './loan-schemas.ts';
import { ModelDesk } from './model-desk.ts';
import { parsed } from './parsed-value.ts';
import { QuestionBlobs } from './question-blobs.ts';
import { modelQuestion } from './question-schema.ts';

export interface HostDesksOptions {
  readonly config: Pick<Config, 'agent'>;
  readonly fabric: Fabric;
  readonly blobs: Blobs;
  /** A host got a reply of these weights. */
  readonly replied: (version: Version) => void;
  /** That a joined host offered. */
  readonly desktopsOf: (host: string) => number;
  readonly clock: Clock;
}

export interface HostDesks {
  /** For the server for hosts. */
  readonly posts: ReadonlyMap<string, HostPost>;
  readonly gone: (host: string) => void;
  /** The loans of all desktops of the run. */
  readonly loans: WorkQueue<LoanRequest>;
  /** Until the signal is aborted and the channels have closed. */
  run(signal: AbortSignal): Promise<void>;
}

export function openDesks({
  config,
  fabric,
  blobs,
  replied,
  desktopsOf,
  clock,
}: HostDesksOptions): HostDesks {
  const loans = new LoanDesk({ fabric, clock });
  const model = new ModelDesk({ fabric, clock, replied, desktopsOf });
  const hasModel = config.agent !== COMPACT_AGENT;
  return {
    posts: new Map([
      ...(hasModel ? ([[ASK_PATH, asking(model, blobs)]] as const) : []),
      [LOANS_PATH, fetching(loans)],
      [LOANED_PATH, replying(loans)],
    ]),
    gone: host => loans.forget(host),
    loans: loans.loans,
    run: async signal => {
      await Promise.all([loans.run(signal), hasModel && model.run()]);
    },
  };
}

export const asking =
  (desk: Pick<ModelDesk, 'ask'>, blobs: Blobs): HostPost =>
  async (host, bytes, signal) => {
    // Hosts put longer messages, and images, as blobs.
    if (bytes.length > MAX_MESSAGE_BYTES)
      throw new RangeError(
        `A question has ${bytes.length} bytes of at most ${MAX_MESSAGE_BYTES}. Install the same version of Dartboard on all machines.`,
      );
    const codec = new ValueCodec(new QuestionBlobs(blobs));
    const question = parsed(modelQuestion, await codec.decode(bytes));
    const answer = await desk.ask(host, question, signal);
    return answer && (await codec.encode(answer)).bytes;
  };

/** Screens are in the messages themselves. */
const WHOLE = new ValueCodec(undefined);

export const fetching =
  (desk: Pick<LoanDesk, 'fetch'>): HostPost =>
  async (host, bytes, signal) => {
    const { after } = parsed(fetchedAfter, parsedJson(Buffer.from(bytes).toString('utf8')));
    const requests = await desk.fetch(host, after, signal);
    return requests.length === 0 ? undefined : (await WHOLE.encode(requests)).bytes;
  };

export const replying =
  (desk: Pick<LoanDesk, 'requestOf' | 'reply'>): HostPost =>
  async (host, bytes) => {
    const value = await WHOLE.decode(bytes);
    const request = desk.requestOf(host, parsed(anyReply, value).request);
    // A late reply, or one of a host that counted as vanished.
    if (request !== undefined) desk.reply(host, parsed(replyTo(request.call), value) as LoanReply);
    return new Uint8Array(0);
  };
