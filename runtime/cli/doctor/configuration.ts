// Checks dartboard.json.

import { resolve } from '../../config/config.ts';
import { ConfigError, type Settings } from '../../config/settings.ts';
import { type Finding, ok, trouble } from '../../core/finding.ts';

export async function configuration(read: () => Promise<Settings>): Promise<Finding> {
  const name = 'Settings';
  try {
    const given = await read();
    const { config } = resolve(given);
    const summary =
      given.leaves.length === 0
        ? 'all defaults'
        : `${given.leaves.length} set in dartboard.json, the others are defaults`;
    return ok(name, `${summary}, preset '${config.preset}'`);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return trouble(
      name,
      error.message.replaceAll('\n', ' '),
      "Correct dartboard.json. 'dartboard train --dry-run' checks it.",
    );
  }
}
