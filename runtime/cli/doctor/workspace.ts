// Checks the workspace: dartboard.json, a running daemon, and what a killed one left behind.

import { resolve } from '../../config/config.ts';
import { ConfigError, type Settings } from '../../config/settings.ts';
import { type Finding, ok, problem, warning } from '../../core/finding.ts';
import type { FoundDaemon } from '../../protocol/daemon/find-daemon.ts';

export async function configuration(read: () => Promise<Settings>): Promise<Finding> {
  const name = 'Settings';
  try {
    const given = await read();
    const { config } = resolve(given);
    const summary =
      given.leaves.length === 0
        ? 'all defaults'
        : `${given.leaves.length} set in dartboard.json, the others are defaults`;
    const ofUser = given.user === undefined ? '' : `, ${given.user.leaves.length} of the user`;
    return ok(name, `${summary}${ofUser}, preset '${config.preset}'`);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return problem(
      name,
      error.message.replaceAll('\n', ' '),
      "Correct dartboard.json, or the named folder or setting of VS Code. 'dartboard train --dry-run' checks them.",
    );
  }
}

/** `file` is the file by which clients find the daemon. */
export function daemon(found: FoundDaemon, file: string): Finding {
  const name = 'Daemon';
  switch (found.kind) {
    case 'none':
      return ok(name, 'not running; it starts when needed');
    case 'running':
      return ok(name, `running (process ${found.daemon.pid}, port ${found.daemon.port})`);
    case 'stale':
      return warning(
        name,
        `was killed: ${found.why}`,
        `Nothing to do: the next 'dartboard serve' replaces '${file}'.`,
      );
  }
}

/** `stale`: runs whose process was killed. `damaged`: what is wrong with unreadable runs, with the remedy. */
export function runs(stale: readonly string[], damaged: readonly string[], count: number): Finding {
  const name = 'Runs';
  if (damaged.length > 0)
    return warning(
      name,
      damaged.join(' '),
      'Until then such a run cannot be resumed. Its trajectories are kept.',
    );
  if (stale.length > 0)
    return warning(
      name,
      `interrupted: ${stale.join(', ')}`,
      "'dartboard resume NAME' continues a run from its last checkpoint.",
    );
  return ok(name, count === 0 ? 'none yet' : `${count}, none interrupted`);
}
