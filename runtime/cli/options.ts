// Parsers of option values. A parser throws InvalidArgumentError with what the option accepts; commander adds the option and the value.

import { type Command, InvalidArgumentError, Option } from 'commander';
import { TIERS, type Tier } from '../environments/suite.ts';
import { MAX_RUN_MINUTES } from '../protocol/daemon/state.ts';

const MAX_TEMPERATURE = 10;
const MAX_SEED_LENGTH = 100;

/** Of an option for weights. */
export const WEIGHTS_HELP =
  ".safetensors file, run folder, run name, or 'base' (default: the latest run; 'base' before any training)";

/** A whole number from `min` to `max`. */
export const wholeNumber =
  (min: number, max: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`);
  };

const positiveNumber =
  (max: number, example: string) =>
  (text: string): number => {
    const value = Number(text);
    if (text.trim() !== '' && value > 0 && value <= max) return value;
    throw new InvalidArgumentError(`Give a number above 0 and up to ${max}, as ${example}.`);
  };

export const parseMinutes = positiveNumber(MAX_RUN_MINUTES, '5 or 0.5');
export const parseTemperature = positiveNumber(MAX_TEMPERATURE, '1.5');

export function parsePercent(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= 100) return value;
  throw new InvalidArgumentError('Give a percentage from 0 to 100, as 80 or 92.5.');
}

/** 0 takes the likeliest choice. */
export function parseTemperatureOrZero(text: string): number {
  if (text.trim() !== '' && Number(text) === 0) return 0;
  try {
    return parseTemperature(text);
  } catch {
    throw new InvalidArgumentError(`Give a number from 0 to ${MAX_TEMPERATURE}, as 0 or 1.`);
  }
}

/** '2,1' is tiers 1 and 2: each once, in order. */
export function parseTiers(text: string): readonly Tier[] {
  const names = text.split(',').map(name => name.trim());
  const unknown = names.find(name => !TIERS.some(tier => String(tier) === name));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`'${unknown}' is no tier. Give 1, 2, 3 or 4, or several as 1,2.`);
  return TIERS.filter(tier => names.includes(String(tier)));
}

export function parseTaskIds(text: string): readonly string[] {
  const ids = [...new Set(text.split(',').map(id => id.trim()))].filter(id => id !== '');
  if (ids.length > 0) return ids;
  throw new InvalidArgumentError('Give the ids of tasks, as mail-star,notes-write.');
}

export function parseSeed(text: string): string {
  if (text.trim() !== '' && text.length <= MAX_SEED_LENGTH && !/\p{Cc}/u.test(text)) return text;
  throw new InvalidArgumentError(`Give a text of 1 to ${MAX_SEED_LENGTH} printable characters.`);
}

export const portOption = (): Option =>
  new Option('--port <number>', 'port of the web page on 127.0.0.1')
    .argParser(wholeNumber(0, 65_535))
    .default(0, 'any free port');

/** Whether the command line has the option, rather than its default. */
export const isGiven = (command: Command, option: string): boolean =>
  command.getOptionValueSource(option) === 'cli';

export const tierOption = (description: string): Option =>
  new Option('--tier <tiers>', description).argParser(parseTiers);

const MAX_PARALLEL = 1000;
export const parallelOption = (): Option =>
  new Option(
    '--parallel <number>',
    'episodes of the agent at a time (default: 16, or fewer if the agent or its desktops support fewer)',
  ).argParser(wholeNumber(1, MAX_PARALLEL));

export const minutesOption = (description: string): Option =>
  new Option('--minutes <number>', description).argParser(parseMinutes);

export const jsonOption = (): Option => new Option('--json', 'print JSON for other programs');
