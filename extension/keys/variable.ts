// The environment variables in which programs of Dartboard receive keys of the secret storage, and the texts of the hand-over. Pure.

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

/** One per line, as `NAME=value`: keys contain no line ends. */
export const writeVariables = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');

export const readVariables = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(/^([A-Za-z0-9_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
