// A command as OSWorld's tasks write it, a text or a list of words with or without a shell, in the words of a shell. Pure.

import { BoundaryError } from '../../core/failure.ts';
import { shellQuote } from './shell-frame.ts';

export interface TaskCommand {
  readonly command: string | readonly string[];
  /** Whether a shell reads it; then all but the first of a list are that shell's arguments. */
  readonly shell?: boolean | undefined;
}

/** A path as one word: OSWorld's tasks write the home as `~/`. */
export const quotePath = (path: string): string => {
  if (path === '~') return '"$HOME"';
  return path.startsWith('~/') ? `"$HOME"${shellQuote(path.slice(1))}` : shellQuote(path);
};

/** The same command for `sh -c`. */
export function shellLine({ command, shell = false }: TaskCommand): string {
  if (typeof command === 'string') return shell ? command : splitWords(command).map(quotePath).join(' ');
  return shell ? ['sh', '-c', ...command].map(shellQuote).join(' ') : command.map(quotePath).join(' ');
}

/** The program that is started, undefined where a shell reads the command. */
export const programOf = ({ command, shell = false }: TaskCommand): string | undefined => {
  if (shell) return undefined;
  return typeof command === 'string' ? splitWords(command)[0] : command[0];
};

const WORD = /(?:[^\s"'\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")+/g;
const PART = /\\([\s\S])|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|([^"'\\]+)/g;

/** The words of a text, as a shell would part them; nothing else in it is read. */
export function splitWords(text: string): readonly string[] {
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
