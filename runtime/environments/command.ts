// Commands of OSWorld's task files as lines for `sh -c`. Pure.

import { BoundaryError } from '../core/failure.ts';

/** One word for a shell, with any content. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A program in a session of its own survives the shell, and the kill of a hung command does not reach it. */
export const detachedLine = (line: string): string =>
  `setsid sh -c ${shellQuote(line)} </dev/null >/dev/null 2>&1 &`;

/** Activates (`a`) or closes (`c`) a window by a part of its title or class, ignoring case; `strict` requires the exact text. */
export const windowLine = (
  action: 'a' | 'c',
  name: string,
  { strict, byClass }: { readonly strict: boolean; readonly byClass: boolean },
): string => `wmctrl ${byClass ? '-x ' : ''}${strict ? '-F ' : ''}-${action} ${shellQuote(name)}`;

export interface TaskCommand {
  readonly command: string | readonly string[];
  /** True if a shell interprets the command; then the other items of a list are arguments of that shell. */
  readonly shell?: boolean | undefined;
}

/** A path as one word. OSWorld's tasks write the home as `~/`. */
export const quotePath = (path: string): string => {
  if (path === '~') return '"$HOME"';
  return path.startsWith('~/') ? `"$HOME"${shellQuote(path.slice(1))}` : shellQuote(path);
};

export function shellLine({ command, shell = false }: TaskCommand): string {
  if (typeof command === 'string') return shell ? command : splitWords(command).map(quotePath).join(' ');
  return shell ? ['sh', '-c', ...command].map(shellQuote).join(' ') : command.map(quotePath).join(' ');
}

/** The program; undefined if a shell interprets the command. */
export const programOf = ({ command, shell = false }: TaskCommand): string | undefined => {
  if (shell) return undefined;
  return typeof command === 'string' ? splitWords(command)[0] : command[0];
};

const WORD = /(?:[^\s"'\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")+/g;
const PART = /\\([\s\S])|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|([^"'\\]+)/g;

/** Splits a text into words like a shell, without any expansion. */
export function splitWords(text: string): readonly string[] {
  const rest = text.replaceAll(WORD, '').trim();
  if (rest !== '') {
    const message = `the command ${JSON.stringify(text)} has an unclosed quotation mark or a trailing backslash`;
    throw new BoundaryError({ boundary: 'task', thing: 'command', message });
  }
  return (text.match(WORD) ?? []).map(word =>
    word.replaceAll(PART, (_all, escaped?: string, single?: string, double?: string, plain?: string) => {
      if (double !== undefined) return double.replaceAll(/\\(["\\$`])/g, '$1');
      return escaped ?? single ?? plain ?? '';
    }),
  );
}
