// Files of settings for tests, resolved or refused.

import { resolve } from '../../runtime/config/config.ts';
import { settingsFromText } from '../../runtime/config/config-file.ts';
import { ConfigError } from '../../runtime/config/settings.ts';

/** The settings of a file with this content. */
export const file = (value: unknown) =>
  settingsFromText(JSON.stringify(value, undefined, 2), 'dartboard.json');
export const config = (value: unknown) => resolve(file(value)).config;

/** The message of the refusal. */
export const refused = (attempt: () => unknown): string => {
  try {
    attempt();
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'accepted';
};
