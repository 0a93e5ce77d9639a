// Whether a daemon runs here, and what one that was killed has left behind.

import { type Finding, ok, warning } from '../../core/finding.ts';
import type { Found } from '../../server/daemon-file.ts';

/** `file` is where a daemon says how it is found. */
export function daemon(found: Found, file: string): Finding {
  const name = 'Daemon';
  switch (found.kind) {
    case 'none':
      return ok(name, 'none runs here; one is started when it is needed');
    case 'running':
      return ok(name, `runs (process ${found.daemon.pid}, port ${found.daemon.port})`);
    case 'stale':
      return warning(
        name,
        `was killed: ${found.why}`,
        `Nothing need be done; 'dartboard serve' replaces '${file}'.`,
      );
  }
}

/** `stale` are runs whose process went without letting go of them, `damaged` says what is wrong with others. */
export function runs(stale: readonly string[], damaged: readonly string[], count: number): Finding {
  const name = 'Runs';
  if (damaged.length > 0)
    return warning(name, damaged.join('; '), 'Restore its run.json, or delete the folder of the run.');
  if (stale.length > 0)
    return warning(
      name,
      `${stale.join(', ')} broke off`,
      "'dartboard resume' goes on with one from its last checkpoint, if it has any.",
    );
  return ok(name, count === 0 ? 'none yet' : `${count}, none of them broke off`);
}
