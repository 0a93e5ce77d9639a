import { textIn } from '../../core/existing-file.ts';
import { parsedJson } from '../../core/json.ts';
import { localObserver, type ProcessObserver, processStatus } from '../../core/process-identity.ts';
import { safeParse } from '../../core/safe-parse.ts';
import { type DaemonAddress, daemonAddress } from './daemon-file.ts';

/** No daemon, a running one, or one that was killed. */
export type FoundDaemon =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly daemon: DaemonAddress }
  | { readonly kind: 'stale'; readonly why: string };

export async function findDaemon(
  file: string,
  observer: ProcessObserver = localObserver(),
): Promise<FoundDaemon> {
  const text = await textIn(file);
  if (text === undefined) return { kind: 'none' };
  const daemon = parseDaemonFile(text);
  if (daemon === undefined) return { kind: 'stale', why: `'${file}' is not a daemon's file` };
  const where = processStatus(daemon, observer);
  if (where === 'elsewhere')
    return {
      kind: 'stale',
      why: `the daemon with pid ${daemon.pid} belongs to another machine or container (${daemon.place})`,
    };
  if (where === 'ended') return { kind: 'stale', why: `the daemon with pid ${daemon.pid} no longer runs` };
  return { kind: 'running', daemon };
}

/** Undefined also for half a file, which a daemon left that was killed while it wrote. */
function parseDaemonFile(text: string): DaemonAddress | undefined {
  return safeParse(daemonAddress, parsedJson(text)).data;
}
