// dartboard.json of the open folder, read without its schema: the daemon checks it and names the wrong key.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, sentenceOf } from '../runtime/core/errors.ts';

/** Empty if there is no file. */
export type ConfigFile = Readonly<Record<string, unknown>>;

const FILE = 'dartboard.json';

export async function readConfigFile(folder: string): Promise<ConfigFile> {
  const text = await readFile(join(folder, FILE), 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return '{}';
    throw new Error(`'${FILE}' cannot be read: ${sentenceOf(error)}`, { cause: error });
  });
  try {
    return parseConfigFile(text);
  } catch (error) {
    throw new Error(`'${FILE}' cannot be read: ${sentenceOf(error)} Correct the file, then try again.`, {
      cause: error,
    });
  }
}

export const parseConfigFile = (text: string): ConfigFile =>
  objectIn(JSON.parse(text.replace(/^\uFEFF/, '')));

/** An object in a configuration; empty if the value is something else. */
export const objectIn = (value: unknown): ConfigFile =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

/** Whether the file selects the tasks of a training. */
export function selectsTasks(config: ConfigFile): boolean {
  const suite = objectIn(config['suite']);
  return suite['tiers'] !== undefined || suite['tasks'] !== undefined;
}

/** The kind of desktops that the file names. */
export const kindIn = (config: ConfigFile): unknown => objectIn(config['environments'])['kind'];

export const hasGuests = (config: ConfigFile): boolean => {
  const { hosts } = objectIn(objectIn(config['environments'])['guest']);
  return Array.isArray(hosts) && hosts.length > 0;
};

/** Guests of a file that names no kind are there to be chosen. Other desktops have neither the guests nor their tasks. */
export function withoutUnchosenGuests(config: ConfigFile): ConfigFile {
  if (!hasGuests(config) || kindIn(config) !== undefined) return config;
  const { guest: _, ...environments } = objectIn(config['environments']);
  const { files: __, ...suite } = objectIn(config['suite']);
  return { ...config, environments, suite };
}
