// A command as OSWorld's tasks write it, a text or a list of words with or without a shell, in the words of a shell. Pure.

import { BoundaryError } from '../../contracts/failure.ts';
import { quoted } from './shell-frame.ts';

export interface Command {
  readonly command: string | readonly string[];
  /** Whether a shell reads it; then all but the first of a list are that shell's arguments. */
  readonly shell?: boolean | undefined;
}

/** A path as one word: OSWorld's tasks write the home as `~/`. */
export const pathWord = (path: string): string => {
  if (path === '~') return '"$HOME"';
  return path.startsWith('~/') ? `"$HOME"${quoted(path.slice(1))}` : quoted(path);
};

/** The same command for `sh -c`. */
export function spoken({ command, shell = false }: Command): string {
  if (typeof command === 'string') return shell ? command : wordsOf(command).map(pathWord).join(' ');
  return shell ? ['sh', '-c', ...command].map(quoted).join(' ') : command.map(pathWord).join(' ');
}

/** The program that is started, undefined where a shell reads the command. */
export const programOf = ({ command, shell = false }: Command): string | undefined => {
  if (shell) return undefined;
  return typeof command === 'string' ? wordsOf(command)[0] : command[0];
};

const WORD = /(?:[^\s"'\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")+/g;
const PART = /\\([\s\S])|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|([^"'\\]+)/g;

/** The words of a text, as a shell would part them; nothing else in it is read. */
export function wordsOf(text: string): readonly string[] {
  const rest = text.replaceAll(WORD, '').trim();
  if (rest !== '') {
    const message = `the command ${JSON.stringify(text)} has a quotation mark or a backslash without its end`;
    throw new BoundaryError({ boundary: 'task', thing: 'command', message });
  }
  return (text.match(WORD) ?? []).map(word =>
    word.replaceAll(PART, (_all, escaped?: string, single?: string, double?: string, plain?: string) => {
      if (double !== undefined) return double.replaceAll(/\\(["\\$`])/g, '$1');
      return escaped ?? single ?? plain ?? '';
    }),
  );
}
