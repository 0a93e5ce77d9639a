// Reads dartboard.json, and the settings of the user beside it. Errors name the line and column of each problem.

import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMissing, messageOf } from '../core/errors.ts';
import { JsonTextError, parseJsonText, type TextPosition } from './json-text.ts';
import { ConfigError, NO_SETTINGS, parseSettings, type Settings, withUser } from './settings.ts';
import { ownTaskFolders } from './task-folders.ts';
import { userSettings } from './user-settings.ts';

/** At the top of a workspace. */
export const CONFIG_FILE = 'dartboard.json';

/** The settings of a file, none when it is missing; with those of the user, and the folders with task files beside the file. */
export const readConfig = async (
  file = CONFIG_FILE,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Settings> =>
  withUser(
    { ...(await settingsOfFile(file)), tasks: ownTaskFolders(dirname(file)) },
    userSettings(environment),
  );

async function settingsOfFile(file: string): Promise<Settings> {
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

/** Thousands of times the length of a long one. */
const MAX_CHARACTERS = 2 ** 23;

/** `name` names the file in errors. */
export function settingsFromText(text: string, name: string): Settings {
  const format = ({ line, column }: TextPosition): string => `${name}:${line}:${column}`;
  if (text.length > MAX_CHARACTERS)
    throw new ConfigError([
      `${name} has ${text.length} characters, the limit is ${MAX_CHARACTERS}. Remove what is no setting.`,
    ]);
  try {
    // Some editors start a file with a byte order mark.
    const { value, positionOf } = parseJsonText(text.replace(/^\uFEFF/, ''));
    return parseSettings(value, path => format(positionOf(path)));
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    throw new ConfigError([`${format(error.position)}: ${error.message}`], { cause: error });
  }
}
