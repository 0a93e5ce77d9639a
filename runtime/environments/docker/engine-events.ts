// The long stream of an engine's events: read, watched, and opened again when it breaks. What happened while it was away
// is not told here: whoever listens lists the containers when it is there again.

import type { Readable } from 'node:stream';
import * as z from 'zod';
import type { Clock } from '../../core/clock.ts';
import { jsonLines } from './streams.ts';

export type HostEvent =
  /** It is there, for the first time or again. */
  | { readonly kind: 'here' }
  | { readonly kind: 'lost'; readonly why: string }
  | { readonly kind: 'died'; readonly container: string; readonly why: string };

export interface EventSource {
  /** The engine's events, from now on. */
  open(): Promise<Readable>;
  /** Rejects where the engine does not answer. */
  ping(): Promise<void>;
}

/** Milliseconds. A network that is cut tells nothing, so the engine is asked now and then whether it is there. */
const HEARTBEAT = 5000;
const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 5000;

/** Tells until the signal is aborted, and then resolves. */
export async function tellEvents(
  source: EventSource,
  clock: Clock,
  tell: (event: HostEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  let pause = FIRST_PAUSE;
  while (!signal.aborted) {
    try {
      const stream = await source.open();
      tell({ kind: 'here' });
      pause = FIRST_PAUSE;
      await follow(source, clock, stream, tell, signal);
    } catch (error) {
      if (signal.aborted) return;
      tell({ kind: 'lost', why: error instanceof Error ? error.message : String(error) });
    }
    await clock.sleep(pause, signal).catch(() => {});
    pause = Math.min(2 * pause, LONGEST_PAUSE);
  }
}

/** Until the signal is aborted; rejects with why the stream ended before. */
async function follow(
  source: EventSource,
  clock: Clock,
  stream: Readable,
  tell: (event: HostEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const over = new AbortController();
  const read = eventReader(tell);
  try {
    await new Promise<void>((resolve, reject) => {
      if (signal.aborted) return resolve();
      signal.addEventListener('abort', () => resolve(), { signal: over.signal });
      stream.on('data', (piece: Buffer) => {
        try {
          read(piece);
        } catch (error) {
          reject(error);
        }
      });
      stream.once('error', reject);
      stream.once('close', () => reject(new Error('the engine ended its stream of events')));
      beat(source, clock, over.signal).catch(reject);
    });
  } finally {
    over.abort();
    stream.destroy();
  }
}

async function beat(source: EventSource, clock: Clock, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    try {
      await clock.sleep(HEARTBEAT, over);
    } catch {
      return;
    }
    await source.ping();
  }
}

/** Of the engine's events those that are told for. */
export const WATCHED = ['die', 'oom'] as const;

const event = z.object({
  Action: z.string(),
  Actor: z.object({ ID: z.string(), Attributes: z.record(z.string(), z.string()).default({}) }),
});

/**
 * A desktop in which anything was ended for want of memory has died: what is left of it is not what the task prepared, even
 * where the container goes on.
 */
export function eventReader(tell: (event: HostEvent) => void): (piece: Uint8Array) => void {
  return jsonLines(line => {
    const { data } = event.safeParse(line);
    if (data === undefined) return;
    const { Action, Actor } = data;
    if (Action === 'oom') tell({ kind: 'died', container: Actor.ID, why: 'it ran out of memory' });
    if (Action === 'die') {
      const code = Actor.Attributes['exitCode'] ?? 'unknown';
      tell({ kind: 'died', container: Actor.ID, why: `it ended with exit code ${code}` });
    }
  });
}
