// The event stream of an engine: reads it, checks it with heartbeats, and reopens it after a loss. Events that happen during a loss are
// missing; the listener lists the containers when the engine is back.

import { once } from 'node:events';
import type { Readable } from 'node:stream';
import * as z from 'zod';
import { type Clock, sleepUnlessAborted } from '../../core/clock.ts';
import { messageOf } from '../../core/errors.ts';
import { parsedJson } from '../../core/json.ts';
import { type Backoff, backoffMs } from '../../core/retry.ts';
import { linked } from '../../core/run-together.ts';
import { safeParse } from '../../core/safe-parse.ts';
import { lineReader } from './streams.ts';

export type HostEvent =
  /** The engine answers, for the first time or again. */
  | { readonly kind: 'here' }
  | { readonly kind: 'lost'; readonly why: string }
  | { readonly kind: 'died'; readonly container: string; readonly why: string };

interface EngineEventSource {
  /** Opens the stream of new events. */
  open(): Promise<Readable>;
  /** Rejects if the engine does not answer. */
  ping(): Promise<void>;
}

/** A cut network connection sends no signal, so each interval pings the engine. */
const HEARTBEAT_INTERVAL_MS = 5000;
const BACKOFF: Backoff = { firstMs: 200, maxMs: 5000 };
const MAX_EVENT_BYTES = 1 << 20;

/** Emits events until the signal is aborted, and then resolves. */
export async function watchEvents(
  source: EngineEventSource,
  clock: Clock,
  emit: (event: HostEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  const ping = async () => {
    await source.ping();
    // An opened stream proves nothing: a proxy can accept it and end it at once, again and again.
    failures = 0;
  };
  while (!signal.aborted) {
    try {
      const stream = await source.open();
      emit({ kind: 'here' });
      await readEvents(ping, clock, stream, emit, signal);
    } catch (error) {
      if (signal.aborted) return;
      emit({ kind: 'lost', why: messageOf(error) });
    }
    failures += 1;
    await sleepUnlessAborted(clock, backoffMs(failures, BACKOFF), signal);
  }
}

/** Resolves when the signal is aborted. Rejects when the stream ends or a heartbeat fails. */
async function readEvents(
  ping: EngineEventSource['ping'],
  clock: Clock,
  stream: Readable,
  emit: (event: HostEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const { over, release } = linked(signal);
  stream.on('data', eventReader(emit));
  const closed = once(stream, 'close', { signal: over.signal }).then(() => {
    throw new Error('the engine ended its stream of events');
  });
  try {
    await Promise.race([closed, sendPings(ping, clock, over.signal)]);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    release();
    over.abort();
    stream.destroy();
  }
}

async function sendPings(ping: EngineEventSource['ping'], clock: Clock, over: AbortSignal): Promise<never> {
  for (;;) {
    await clock.sleep(HEARTBEAT_INTERVAL_MS, over);
    await ping();
  }
}

/** The warden's exit code after a lease without heartbeats (images/warden/warden.c). */
const LEASE_EXIT_CODE = '4';

export const WATCHED_ACTIONS = ['die', 'oom'] as const;

const engineEvent = z.object({
  Action: z.string(),
  Actor: z.object({ ID: z.string(), Attributes: z.record(z.string(), z.string()).default({}) }),
});

/**
 * Reads events as lines of JSON. After an out-of-memory kill the desktop counts as dead, even if the container goes on: it is no longer
 * in the state that the task prepared.
 */
function eventReader(emit: (event: HostEvent) => void): (piece: Uint8Array) => void {
  return lineReader(MAX_EVENT_BYTES, line => {
    const { data } = safeParse(engineEvent, parsedJson(line ?? ''));
    if (data === undefined) return;
    const { Action, Actor } = data;
    if (Action === 'oom') emit({ kind: 'died', container: Actor.ID, why: 'it ran out of memory' });
    if (Action === 'die') {
      const code = Actor.Attributes['exitCode'] ?? 'unknown';
      const why =
        code === LEASE_EXIT_CODE ? 'its host sent no heartbeat for 60 s' : `it ended with exit code ${code}`;
      emit({ kind: 'died', container: Actor.ID, why });
    }
  });
}
