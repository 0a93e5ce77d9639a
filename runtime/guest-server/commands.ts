// Commands as OSWorld's server runs them: programs of pyautogui are performed on the desktop, all others run in its shell.

import { BoundaryError } from '../core/failure.ts';
import { programOf, quotePath, shellLine, splitWords, type TaskCommand } from '../environments/command.ts';
import type { CommandResult } from '../environments/docker/shell.ts';
import { errorAnswer, type GuestAnswer } from './answer.ts';
import { CallError } from './guest-call.ts';
import { ProgramError } from './program/input-program.ts';
import { readProgram, usesInput } from './program/read-program.ts';
import type { ServedMachine } from './served-machine.ts';

export interface CommandOutcome {
  readonly output: string;
  readonly error: string;
  readonly returncode: number;
}

/** Exit codes of a shell. */
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;

const PYTHON = /^(?:\/usr\/(?:local\/)?bin\/)?python(?:3(?:\.\d+)?)?$/;

/** The text of `python -c TEXT` if it uses the mouse or the keyboard. */
function inputProgramOf({ command, shell = false }: TaskCommand): string | undefined {
  if (typeof command !== 'string' && shell) return undefined;
  const words = typeof command === 'string' ? wordsOf(command) : command;
  const [program = '', option, text = '', ...rest] = words;
  const isProgram = PYTHON.test(program) && option === '-c' && rest.length === 0;
  return isProgram && usesInput(text) ? text : undefined;
}

/** Empty for a text with an open quotation mark, which a shell may still read. */
function wordsOf(text: string): readonly string[] {
  try {
    return splitWords(text);
  } catch {
    return [];
  }
}

/** A program that cannot be performed fails like a Python program. */
export async function performProgram(machine: ServedMachine, text: string): Promise<CommandOutcome> {
  try {
    return { output: await machine.perform(readProgram(text)), error: '', returncode: 0 };
  } catch (error) {
    if (!(error instanceof ProgramError)) throw error;
    return { output: '', error: `${error.message}\n`, returncode: 1 };
  }
}

/** Runs a command to its end. Throws a CallError where OSWorld's server reports an exception. */
export async function runCommand(machine: ServedMachine, command: TaskCommand): Promise<CommandOutcome> {
  const program = inputProgramOf(command);
  if (program !== undefined) return performProgram(machine, program);
  const line = lineOf(command);
  const { code, output, errors, isCut } = await machine.run(line);
  if (code === NOT_FOUND || code === NOT_EXECUTABLE) await requireProgram(machine, command);
  return { ...textsOf({ output, errors, isCut }), returncode: code };
}

/** Throws a CallError for an output that is not whole. */
export function textsOf({ output, errors, isCut }: Pick<CommandResult, 'output' | 'errors' | 'isCut'>) {
  if (isCut) throw failed(CUT);
  return { output: Buffer.from(output).toString('utf8'), error: Buffer.from(errors).toString('utf8') };
}

export const CUT = 'The command printed more than 8 MB. Write to a file, and fetch it with /file.';

export function lineOf(command: TaskCommand): string {
  if (command.command.length === 0) throw failed('The command is empty. Name a program.');
  return shellLine(command);
}

/** Throws as Python does when it cannot start a program. Nothing is checked for a line of a shell. */
export async function requireProgram(machine: ServedMachine, command: TaskCommand): Promise<void> {
  const program = programOf(command);
  if (program === undefined) return;
  const { code } = await machine.run(`command -v ${quotePath(program)}`);
  if (code === 0) return;
  throw failed(
    `[Errno 2] No such file or directory: '${program}'. It is not installed on this desktop. Use an image that has it.`,
  );
}

export const failed = (message: string, status = 500): CallError =>
  new CallError(errorAnswer(message, status), message);

/** Why a command or a file of the client failed, if the desktop itself works. */
export const taskFailure = (error: unknown): string | undefined =>
  error instanceof BoundaryError && error.failure.boundary === 'task' ? error.failure.message : undefined;

/** Reports a failure of the client's command or file with the given reply. */
export async function answered(
  work: () => Promise<GuestAnswer>,
  onFailure: (message: string) => GuestAnswer,
): Promise<GuestAnswer> {
  try {
    return await work();
  } catch (error) {
    const message = taskFailure(error);
    if (message === undefined) throw error;
    return onFailure(message);
  }
}
