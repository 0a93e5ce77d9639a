// The command line as a tree of commands. Each command has a file of its own.

import tab from '@bomb.sh/tab/commander';
import { Command, CommanderError } from 'commander';
import { version } from '../../package.json';
import { messageOf } from '../core/errors.ts';
import type { CliContext } from './context.ts';

type AddCommand = (program: Command, context: CliContext) => void;

/** In the order in which `dartboard --help` lists them. A command loads a part of the modules only, and starts sooner without the others. */
const COMMANDS: ReadonlyMap<string, () => Promise<AddCommand>> = new Map(
  Object.entries({
    train: async () => (await import('./train.ts')).addTrainCommand,
    resume: async () => (await import('./resume.ts')).addResumeCommand,
    join: async () => (await import('./join.ts')).addJoinCommand,
    runs: async () => (await import('./runs.ts')).addRunsCommand,
    compare: async () => (await import('./compare.ts')).addCompareCommand,
    eval: async () => (await import('./eval.ts')).addEvalCommand,
    run: async () => (await import('./run.ts')).addRunCommand,
    collect: async () => (await import('./collect.ts')).addCollectCommand,
    import: async () => (await import('./import.ts')).addImportCommand,
    export: async () => (await import('./export.ts')).addExportCommand,
    record: async () => (await import('./record.ts')).addRecordCommand,
    serve: async () => (await import('./serve.ts')).addServeCommand,
    up: async () => (await import('./up.ts')).addUpCommand,
    model: async () => (await import('./model.ts')).addModelCommand,
    endpoint: async () => (await import('./endpoint.ts')).addEndpointCommand,
    tasks: async () => (await import('./tasks.ts')).addTasksCommand,
    docker: async () => (await import('./docker.ts')).addDockerCommand,
    web: async () => (await import('./web.ts')).addWebCommand,
    doctor: async () => (await import('./doctor.ts')).addDoctorCommand,
  }),
);

/** A timer of this period keeps Node alive while a command waits for a promise only. */
const KEEP_ALIVE_MS = 60_000;

/** With the commands that `args` need: one that they name, or all for the help and for the completion of a name. */
export async function createProgram(context: CliContext, args: readonly string[]): Promise<Command> {
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
      getOutHelpWidth: () => context.output.columns || 100,
    })
    .showHelpAfterError("'dartboard --help' lists the commands.");
  const named = COMMANDS.get(commandIn(args));
  for (const load of named ? [named] : COMMANDS.values()) (await load())(program, context);
  for (const command of program.commands)
    command.showHelpAfterError(`'dartboard ${command.name()} --help' lists its options.`);
  tab(program, { completionCommandName: 'completion' });
  return program;
}

/** A shell asks for completion with `complete -- WORDS`. */
function commandIn(args: readonly string[]): string {
  const [first = '', , word = '', ...more] = args;
  // Without a further word, the name itself may be incomplete: 'run' also begins 'runs'.
  return first === 'complete' && more.length > 0 ? word : first;
}

/** Returns the exit code. An error becomes one message on standard error. */
export async function runProgram(context: CliContext, args: readonly string[]): Promise<number> {
  const keepAlive = setInterval(() => undefined, KEEP_ALIVE_MS);
  try {
    const program = await createProgram(context, args);
    await program.parseAsync(args.length === 0 ? ['--help'] : args, { from: 'user' });
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
