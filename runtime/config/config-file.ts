// Reads dartboard.json. What is wrong with it is said with the line and column at which it stands.

import { readFile } from 'node:fs/promises';
import { isMissing } from '../core/errors.ts';
import { JsonTextError, type Place, readJson } from './json-text.ts';
import { ConfigError, type Given, given, NOTHING_GIVEN } from './settings.ts';

/** At the top of a workspace. */
export const CONFIG_FILE = 'dartboard.json';

/** What a file says; nothing where there is none. */
export async function readConfig(file = CONFIG_FILE): Promise<Given> {
  try {
    return configIn(await readFile(file, 'utf8'), file);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    if (isMissing(error)) return NOTHING_GIVEN;
    const why = error instanceof Error ? error.message : String(error);
    throw new ConfigError([`${file} cannot be read: ${why}`], { cause: error });
  }
}

/** `name` is what errors call it. */
export function configIn(text: string, name: string): Given {
  const at = ({ line, column }: Place): string => `${name}:${line}:${column}`;
  try {
    // Some editors begin a file with a mark of its encoding.
    const { value, placeOf } = readJson(text.replace(/^\uFEFF/, ''));
    return given(value, path => at(placeOf(path)));
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    throw new ConfigError([`${at(error.place)}: ${error.message}`], { cause: error });
  }
}
