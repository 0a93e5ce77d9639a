// Reads the place of the trajectory index from the configuration of a workspace.

import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/settings.ts';
import { sentenceOf } from '../core/errors.ts';
import { EMBEDDED } from '../data/index/place.ts';

/** A configuration with an error does not keep the daemon from starting: the pages show the error. */
export async function indexPlaceIn(
  config: () => Promise<Config>,
  notice: (message: string) => void,
): Promise<Config['index']> {
  try {
    return (await config()).index;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    notice(
      `The setting 'index' was not read: ${sentenceOf(error)} The index is in the folder of the runs until the daemon restarts.`,
    );
    return EMBEDDED;
  }
}
