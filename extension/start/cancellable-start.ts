// Starts a training that the user may cancel meanwhile.

import type { DaemonParams } from '../../runtime/protocol/daemon/messages.ts';
import type { DaemonClient } from '../daemon/client.ts';

interface Options {
  readonly client: Pick<DaemonClient, 'request'>;
  /** The run has a name before its modules have started. */
  readonly liveRun: () => string | undefined;
  readonly onCancel: (listener: () => void) => void;
}

/** Resolves with the run, or with undefined once a run that the user cancelled has stopped. */
export async function startRun(
  params: DaemonParams<'run.start'>,
  { client, liveRun, onCancel }: Options,
): Promise<string | undefined> {
  const started = client.request('run.start', params);
  const stops: Promise<unknown>[] = [];
  onCancel(() => {
    const stop = async () => client.request('run.stop', { run: liveRun() ?? (await started).run });
    const stopped = stop();
    // Awaited once the start has settled.
    stopped.catch(() => undefined);
    stops.push(stopped);
  });
  const [start] = await Promise.allSettled([started]);
  if (stops.length > 0) {
    // A run that stops before its modules have started rejects its start.
    await Promise.all(stops);
    return undefined;
  }
  if (start.status === 'rejected') throw start.reason;
  return start.value.run;
}
