// Work that other windows and terminals have begun in the daemon of a training. It must not be lost when the training ends.

import type { Clock } from '../core/clock.ts';
import { orUndefinedWhenAborted } from '../core/run-together.ts';
import { isPresortRunning } from '../protocol/daemon/annotation.ts';
import type { Runs } from '../server/runs.ts';

type Clients = Pick<Runs, 'collections' | 'exchange' | 'presorts' | 'recordings' | 'trainingNow'>;

const CHECK_INTERVAL_MS = 1000;

/** Resolves when nothing is under way, or at the stop signal. `say` gets what is waited for. */
export async function clientsFinished(
  clients: Clients,
  stop: AbortSignal,
  clock: Clock,
  say: (text: string) => void,
): Promise<void> {
  let told: string | undefined;
  while (!stop.aborted) {
    const now = await workOf(clients);
    if (now === undefined) return;
    if (now !== told)
      say(`Under way for other windows: ${now}. This program ends after it; Ctrl-C ends it at once.`);
    told = now;
    await orUndefinedWhenAborted(stop, clock.sleep(CHECK_INTERVAL_MS, stop));
  }
}

async function workOf({
  collections,
  exchange,
  presorts,
  recordings,
  trainingNow,
}: Clients): Promise<string | undefined> {
  const { now: collection } = collections;
  const { recording } = recordings.now();
  const { presort } = await presorts.now();
  const work = [
    ...(trainingNow === undefined ? [] : [`the training of ${named(trainingNow.run)}`]),
    ...(collection === undefined
      ? []
      : [collection.evaluates === undefined ? 'a collection of successes' : 'an evaluation']),
    ...(recording === undefined ? [] : [`a recording of '${recording.task}'`]),
    ...(presort !== undefined && isPresortRunning(presort) ? [`a pre-sort with '${presort.agent}'`] : []),
    ...[...new Set(exchange.now)].map(kind => `an ${kind} of trajectories`),
  ];
  return work.length === 0 ? undefined : work.join(', ');
}

const named = (run: string | undefined): string => (run === undefined ? 'a new run' : `'${run}'`);
