// Reads dartboard.json. Errors name the line and column of each problem.

import { readFile } from 'node:fs/promises';
import { isMissing, messageOf } from '../core/errors.ts';
import { JsonTextError, parseJsonText, type TextPosition } from './json-text.ts';
import { ConfigError, NO_SETTINGS, parseSettings, type Settings } from './settings.ts';

/** At the top of a workspace. */
export const CONFIG_FILE = 'dartboard.json';

/** The settings of a file; none when it is missing. */
export async function readConfig(file = CONFIG_FILE): Promise<Settings> {
  try {
    return settingsFromText(await readFile(file, 'utf8'), file);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    if (isMissing(error)) return NO_SETTINGS;
    throw new ConfigError([`The configuration '${file}' cannot be read: ${messageOf(error)}`], {
      cause: error,
    });
  }
}

/** `name` names the file in errors. */
export function settingsFromText(text: string, name: string): Settings {
  const format = ({ line, column }: TextPosition): string => `${name}:${line}:${column}`;
  try {
    // Some editors start a file with a byte order mark.
    const { value, positionOf } = parseJsonText(text.replace(/^\uFEFF/, ''));
    return parseSettings(value, path => format(positionOf(path)));
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    throw new ConfigError([`${format(error.position)}: ${error.message}`], { cause: error });
  }
}
