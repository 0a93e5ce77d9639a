// Whether dartboard.json, where there is one, can be used as it is.

import { resolve } from '../../config/config.ts';
import { ConfigError, type Given } from '../../config/settings.ts';
import { type Finding, ok, trouble } from '../../core/finding.ts';

export async function configuration(read: () => Promise<Given>): Promise<Finding> {
  const name = 'Settings';
  try {
    const given = await read();
    const { config } = resolve(given);
    const said =
      given.leaves.length === 0 ? 'all are defaults' : `${given.leaves.length} said, all others are defaults`;
    return ok(name, `${said}, of the preset '${config.preset}'`);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return trouble(
      name,
      error.message.replaceAll('\n', ' '),
      'Correct dartboard.json; `dartboard train --dry-run` checks it.',
    );
  }
}
