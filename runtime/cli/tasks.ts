// `dartboard tasks check`: plays the scripts of the task files of this folder, and reports solutions that fail, near misses that succeed, and
// steps that the evaluators do not need.

import { relative } from 'node:path';
import { Argument, type Command, Option } from 'commander';
import type { Config } from '../config/config.ts';
import { messageOf } from '../core/errors.ts';
import { desktopId } from '../core/ids.ts';
import { templatesIn } from '../environments/pocket/tasks/from-folder.ts';
import { POCKET, suiteOf } from '../environments/pocket/tasks/suite.ts';
import { checkablePocketTask } from '../environments/pocket/tasks/task-scripts.ts';
import type { Suite } from '../environments/suite.ts';
import { type CheckableTask, checkTask, type TaskCheck } from '../environments/task-check.ts';
import { checkableTasks } from '../environments/template/task-scripts.ts';
import { openWeb } from '../environments/web/open-web.ts';
import { webTasksFrom } from '../environments/web/tasks/from-folder.ts';
import type { CliContext } from './context.ts';
import { configOfFolder } from './foreground.ts';
import { jsonOption, wholeNumber } from './options.ts';
import { faint, plain, poor, type StyledLine, strong } from './terminal/line.ts';
import { printLines } from './terminal/output.ts';

/** The kinds whose task files have scripts. */
const CHECKED_KINDS = ['pocket', 'web'] as const;
type CheckedKind = (typeof CHECKED_KINDS)[number];

const INSTANCES = 2;
const MOST_INSTANCES = 32;

interface CheckFlags {
  readonly instances: number;
  readonly json?: boolean;
}

export function addTasksCommand(program: Command, context: CliContext): void {
  program
    .command('tasks')
    .description('Check the task files of this folder.')
    .command('check')
    .description(
      'play the solution of each task, its near misses, and the solution without each of its steps',
    )
    .addArgument(new Argument('[kind]', 'kind of desktops (default: both)').choices(CHECKED_KINDS))
    .addOption(
      new Option('--instances <n>', 'training instances of each task, and as many test instances')
        .argParser(wholeNumber(1, MOST_INSTANCES))
        .default(INSTANCES),
    )
    .addOption(jsonOption())
    .action(async (kind: CheckedKind | undefined, flags: CheckFlags) => {
      process.exitCode = await checkTasks(context, kind === undefined ? CHECKED_KINDS : [kind], flags);
    });
}

/** Returns the exit code: 1 if a task has faults or was not checked. */
async function checkTasks(
  context: CliContext,
  kinds: readonly CheckedKind[],
  { instances, json = false }: CheckFlags,
): Promise<0 | 1> {
  const stop = context.stopSignal();
  const checks: TaskCheck[] = [];
  const errors: string[] = [];
  for (const kind of kinds) {
    const config = await configOfFolder(context.folder, kind);
    const { files } = config.suite;
    if (files === undefined) continue;
    // A desktop that fails, or a file that cannot be read, does not keep the others from being checked.
    const failed = (what: string, error: unknown): void => {
      errors.push(
        stop.aborted
          ? `Stopped: not all tasks of ${kind} desktops were checked.`
          : `${what}${messageOf(error)}`,
      );
    };
    try {
      stop.throwIfAborted();
      await OPEN[kind](context, config, files, async (suite, tasks) => {
        const seeds = (['train', 'test'] as const).flatMap(split =>
          Array.from({ length: instances }, (_, index) => suite.seed(split, index)),
        );
        for (const task of tasks) {
          try {
            const check = await checkTask(task, seeds, stop);
            checks.push(check);
            if (!json) printLines(context, checkLines(check, context.folder));
          } catch (error) {
            failed(`${relative(context.folder, task.file)}: `, error);
            if (stop.aborted) return;
          }
        }
      });
    } catch (error) {
      failed('', error);
    }
  }
  if (checks.length === 0 && errors.length === 0)
    throw new RangeError(
      `This folder has no task files for ${kinds.join(' or ')} desktops. Add some to ${kinds.map(kind => `.dartboard/tasks/${kind}`).join(' or ')}; docs/tasks.md describes them.`,
    );
  const wrong = checks.filter(({ faults }) => faults.length > 0).length;
  if (json) context.output.write(`${JSON.stringify({ tasks: checks, errors })}\n`);
  else if (checks.length > 0) printLines(context, summaryLines(checks, wrong));
  for (const error of errors) context.printError(error);
  return wrong > 0 || errors.length > 0 ? 1 : 0;
}

type UseTasks = (suite: Suite, tasks: readonly CheckableTask[]) => Promise<void>;

/** `files`: the folder of task files. */
const OPEN: Readonly<
  Record<CheckedKind, (context: CliContext, config: Config, files: string, use: UseTasks) => Promise<void>>
> = {
  pocket: async (_context, _config, files, use) => {
    const templates = await templatesIn(files);
    // With the built-in tasks, so that an id that one of them has is an error here too.
    const suite = suiteOf([...POCKET.templates, ...templates]);
    return use(suite, templates.map(checkablePocketTask));
  },
  web: async ({ clock, printError }, { environments: { web } }, files, use) => {
    const suite = await webTasksFrom(files);
    const health = (_thing: string, isHealthy: boolean, message: string) => {
      if (!isHealthy) printError(message);
    };
    const provider = await openWeb({ ...web, miniwob: undefined, files, clock, health });
    try {
      const desktop = await provider.make(desktopId('web-check'));
      try {
        await use(suite, checkableTasks(suite, desktop));
      } finally {
        await desktop.close();
      }
    } finally {
      await provider.close();
    }
  },
};

function checkLines(
  { id, file, instances, faults, unneeded }: TaskCheck,
  folder: string,
): readonly StyledLine[] {
  const state = faults.length === 0 ? plain('ok     ') : poor('wrong  ');
  return [
    [state, strong(id), faint(`  ${relative(folder, file)}, ${instances} instances`)],
    ...faults.map((fault): StyledLine => [plain(`       ${fault}`)]),
    ...unneeded.map(
      ({ step, text }): StyledLine => [plain(`       without step ${step}, ${text}, it still scores 1`)],
    ),
  ];
}

function summaryLines(checks: readonly TaskCheck[], wrong: number): readonly StyledLine[] {
  const isUnneeded = checks.some(({ unneeded }) => unneeded.length > 0);
  const all = `${checks.length} ${checks.length === 1 ? 'task' : 'tasks'}`;
  return [
    [],
    [strong(`${checks.length - wrong} of ${all}`), plain(' can train.')],
    ...(isUnneeded
      ? [
          [
            faint(
              'If the step matters, let the evaluator look at what it changes. Otherwise leave it out of the solution.',
            ),
          ],
        ]
      : []),
  ];
}
