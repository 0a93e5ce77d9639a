// The environment variables in which programs of Dartboard receive keys of the secret storage, and the texts of the hand-over. Pure.

import { parsedJson } from '../../runtime/core/json.ts';

export const nameOfVariable = (secret: string): string => `DARTBOARD_SECRET_${secret}`;

/** The variable that tells a program in a terminal where to get its keys. */
export const HAND_OVER_VARIABLE = 'DARTBOARD_KEYS';

export interface HandOverAddress {
  /** Hexadecimal. */
  readonly token: string;
  /** A socket, or a named pipe on Windows. */
  readonly path: string;
}

export const writeAddress = ({ token, path }: HandOverAddress): string => `${token} ${path}`;

export function readAddress(text: string): HandOverAddress {
  const end = text.indexOf(' ');
  return { token: text.slice(0, Math.max(0, end)), path: text.slice(end + 1) };
}

export const writeVariables = (variables: Readonly<Record<string, string>>): string =>
  JSON.stringify(variables);

/** None if the text is empty or was cut. */
export const readVariables = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(Object(parsedJson(text))).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    ),
  );
