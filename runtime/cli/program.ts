// The command line as a tree of commands. Each command has a file of its own.

import tab from '@bomb.sh/tab/commander';
import { Command, CommanderError } from 'commander';
import { version } from '../../package.json';
import { messageOf } from '../core/errors.ts';
import { addCollectCommand } from './collect.ts';
import { addCompareCommand } from './compare.ts';
import type { CliContext } from './context.ts';
import { addDockerCommand } from './docker.ts';
import { addDoctorCommand } from './doctor.ts';
import { addEndpointCommand } from './endpoint.ts';
import { addEvalCommand } from './eval.ts';
import { addExportCommand } from './export.ts';
import { addImportCommand } from './import.ts';
import { addJoinCommand } from './join.ts';
import { addModelCommand } from './model.ts';
import { addRecordCommand } from './record.ts';
import { addResumeCommand } from './resume.ts';
import { addRunCommand } from './run.ts';
import { addRunsCommand } from './runs.ts';
import { addServeCommand } from './serve.ts';
import { addTrainCommand } from './train.ts';
import { addUpCommand } from './up.ts';
import { addWebCommand } from './web.ts';

/** In the order in which `dartboard --help` lists them. */
const COMMANDS = [
  addTrainCommand,
  addResumeCommand,
  addJoinCommand,
  addRunsCommand,
  addCompareCommand,
  addEvalCommand,
  addRunCommand,
  addCollectCommand,
  addImportCommand,
  addExportCommand,
  addRecordCommand,
  addServeCommand,
  addUpCommand,
  addModelCommand,
  addEndpointCommand,
  addDockerCommand,
  addWebCommand,
  addDoctorCommand,
];

/** A timer of this period keeps Node alive while a command waits for a promise only. */
const KEEP_ALIVE_MS = 60_000;

export function createProgram(context: CliContext): Command {
  const program = new Command('dartboard')
    .description('Train agents that use graphical desktops, with multi-turn reinforcement learning.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .exitOverride()
    .configureOutput({
      writeOut: text => context.output.write(text),
      writeErr: text => context.printError(text.trimEnd()),
      outputError: (text, write) =>
        write(text.replace(/^error: (.)/, (_, first: string) => first.toUpperCase())),
      getOutHelpWidth: () => context.output.columns ?? 100,
    })
    .showHelpAfterError("'dartboard --help' lists the commands.");
  for (const add of COMMANDS) add(program, context);
  for (const command of program.commands)
    command.showHelpAfterError(`'dartboard ${command.name()} --help' lists its options.`);
  tab(program, { completionCommandName: 'completion' });
  return program;
}

/** Returns the exit code. An error becomes one message on standard error. */
export async function runProgram(context: CliContext, args: readonly string[]): Promise<number> {
  const keepAlive = setInterval(() => undefined, KEEP_ALIVE_MS);
  try {
    await createProgram(context).parseAsync(args.length === 0 ? ['--help'] : args, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    // Commander has printed its own message, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode;
    context.printError(messageOf(error));
    return 1;
  } finally {
    clearInterval(keepAlive);
  }
}
