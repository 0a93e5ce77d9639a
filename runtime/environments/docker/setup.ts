// The set-up steps of OSWorld's task files, by name. A step that needs a network explains what to write instead.

import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import type { SetupStep } from '../../core/task.ts';
import { detachedLine, programOf, quotePath, shellLine, type TaskCommand, windowLine } from '../command.ts';
import { runUntil } from '../run-until.ts';
import { checked as checkedCall, functionOf, type TaskFunction, taskError } from '../task-function.ts';
import type { ElementTree } from './element-tree.ts';
import { untilIdle } from './idle.ts';
import { documentFile, slidesFile, tableFile } from './office-files.ts';
import { type ContainerShell, writeFile } from './shell.ts';

/** The resources of steps and getters. */
export interface TaskContext {
  readonly shell: ContainerShell;
  readonly clock: Clock;
  /** The windows from back to front, with all their nodes, covered or not. */
  tree(): Promise<ElementTree>;
  /** The output of commands, by the name that the task gave it. Evaluators read it. */
  readonly printed: Map<string, string>;
}

export type DockerFunction<Result> = TaskFunction<TaskContext, Result>;

/** Ignores unknown parameters, such as OSWorld's target of a local copy. */
export const checked = <Shape extends z.ZodRawShape, Result>(
  thing: string,
  shape: Shape,
  run: (context: TaskContext, parameters: z.infer<z.ZodObject<Shape>>) => Promise<Result>,
): DockerFunction<Result> => checkedCall(thing, z.object(shape), run);

export const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

/** Large programs on a busy machine need many seconds until their first window. */
const WINDOW_TIMEOUT_MS = 30_000;
/** A program that ends can have handed its window over to another one. */
const HANDOVER_TIMEOUT_MS = 5000;
const WINDOW_POLL_MS = 15;
const MAX_SLEEP_SECONDS = 600;

/** Exit codes of a shell. */
const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;

export const commandParameters = {
  command: z.union([z.string().min(1), z.array(z.string()).nonempty()]),
  shell: z.boolean().optional(),
};
const windowParameters = {
  window_name: z.string().min(1),
  strict: z.boolean().default(false),
  by_class: z.boolean().default(false),
};
type WindowParameters = z.infer<z.ZodObject<typeof windowParameters>>;
const file = z.union([
  z.strictObject({ path: z.string().min(1), content: z.string() }),
  z.strictObject({ path: z.string().min(1), base64: z.base64() }),
  /** The rows of a table, the paragraphs of a document, or the texts of each slide, in the formats of Office. */
  z.strictObject({
    path: z.string().min(1),
    table: z.array(z.array(z.union([z.string(), z.number(), z.null()])).max(26)),
    sheet: z.string().min(1).optional(),
  }),
  z.strictObject({ path: z.string().min(1), document: z.array(z.string()) }),
  z.strictObject({ path: z.string().min(1), slides: z.array(z.array(z.string())).nonempty() }),
]);

function bytesOf(given: z.infer<typeof file>): Uint8Array {
  if ('content' in given) return Buffer.from(given.content);
  if ('base64' in given) return Buffer.from(given.base64, 'base64');
  if ('table' in given) return tableFile(given.table, given.sheet);
  return 'document' in given ? documentFile(given.document) : slidesFile(given.slides);
}
const until = z.strictObject({
  returncode: z.number().optional(),
  stdout: z.string().optional(),
  stderr: z.string().optional(),
});

const step = <Shape extends z.ZodRawShape>(
  type: string,
  shape: Shape,
  run: (context: TaskContext, parameters: z.infer<z.ZodObject<Shape>>) => Promise<void>,
): DockerFunction<void> => checked(stepName(type), shape, run);

const stepName = (type: string): string => `set-up step ${type}`;

const execute = step(
  'execute',
  {
    ...commandParameters,
    stdout: z.string().default(''),
    stderr: z.string().default(''),
    until: until.default({}),
  },
  async ({ shell, clock, printed }, parameters) => {
    const line = shellLine(parameters);
    const once = async () => {
      const result = await shell.run(line);
      const { code } = result;
      const [output, errors] = [textOf(result.output), textOf(result.errors)];
      if (code === NOT_FOUND || code === NOT_EXECUTABLE)
        throw taskError(stepName('execute'), `${line}: ${errors.trim()}`);
      if (parameters.stdout !== '') printed.set(parameters.stdout, output);
      if (parameters.stderr !== '') printed.set(parameters.stderr, errors);
      return { code, output, errors };
    };
    await runUntil(line, once, parameters.until, clock);
  },
);

const STEPS: Readonly<Record<string, DockerFunction<void>>> = {
  /** Starts a program, and waits for its window unless the task says that it has none. */
  launch: step(
    'launch',
    { ...commandParameters, window: z.boolean().default(true) },
    async (context, parameters) => {
      const program = programOf(parameters);
      if (program !== undefined) await requireProgram(context, program);
      const line = shellLine(parameters satisfies TaskCommand);
      if (parameters.window) await startUntilWindow(context, line, 'launch');
      else await start(context, line);
    },
  ),
  /** Runs a command to its end; with `until`, repeatedly until the condition holds. */
  execute,
  command: execute,
  /** Opens a file or a folder with its program, and waits for the window. */
  open: step('open', { path: z.string().min(1) }, async (context, { path }) => {
    const word = quotePath(path);
    const test = async (flag: string) => (await context.shell.run(`[ ${flag} ${word} ]`)).code === 0;
    if (!(await test('-e'))) throw taskError(stepName('open'), `${path} does not exist`);
    const program = (await test('-d')) ? 'pcmanfm' : 'mousepad';
    await startUntilWindow(context, `exec ${program} ${word}`, 'open');
  }),
  sleep: step('sleep', { seconds: z.number().min(0).max(MAX_SLEEP_SECONDS) }, ({ clock }, { seconds }) =>
    clock.sleep(seconds * 1000),
  ),
  /** Waits until the applications are idle: they can write a file some time after an action. */
  settle: step('settle', {}, ({ shell, clock }) => untilIdle(shell, clock)),
  activate_window: step('activate_window', windowParameters, (context, parameters) =>
    runWmctrl(context, 'a', parameters),
  ),
  close_window: step('close_window', windowParameters, (context, parameters) =>
    runWmctrl(context, 'c', parameters),
  ),
  /** OSWorld's step copies files of the training machine; here the task contains them. */
  upload_file: step('upload_file', { files: z.array(file) }, async ({ shell }, { files }) => {
    for (const each of files) await writeFile(shell, each.path, bytesOf(each));
  }),
  download: async () => {
    const message =
      'a desktop has no network. Write the content of the file into the task, with upload_file.';
    throw taskError(stepName('download'), message);
  },
};

export async function runSetupStep(
  context: TaskContext,
  { type, parameters = {} }: SetupStep,
): Promise<void> {
  await functionOf(STEPS, type, 'set-up step')(context, parameters);
}

/** Returns the process id. */
async function start({ shell }: TaskContext, line: string): Promise<string> {
  const { output } = await shell.run(`${detachedLine(line)} echo $!`);
  return textOf(output).trim();
}

/** Without a window the desktop is not in the state of the task, so it counts as broken and another one is tried. */
async function startUntilWindow(context: TaskContext, line: string, type: string): Promise<void> {
  const { shell, clock } = context;
  const windows = async () => (await context.tree()).windows.map(({ xid }) => xid);
  const before = new Set(await windows());
  const process = await start(context, line);
  let end = clock.now() + WINDOW_TIMEOUT_MS;
  let isGone = false;
  for (; clock.now() < end; await clock.sleep(WINDOW_POLL_MS)) {
    if ((await windows()).some(xid => !before.has(xid))) return;
    if (isGone || (await shell.run(`[ -d /proc/${process} ]`)).code === 0) continue;
    isGone = true;
    end = Math.min(end, clock.now() + HANDOVER_TIMEOUT_MS);
  }
  const result = isGone ? 'ended without a window' : `showed no window within ${WINDOW_TIMEOUT_MS / 1000} s`;
  const remedy = type === 'launch' ? `. If it has no window, write "window": false in the task.` : '';
  throw taskError(stepName(type), `${line} ${result}${remedy}`, 'environment');
}

async function runWmctrl(
  context: TaskContext,
  action: 'a' | 'c',
  { window_name: name, strict, by_class: byClass }: WindowParameters,
): Promise<void> {
  if ((await context.shell.run(windowLine(action, name, { strict, byClass }))).code === 0) return;
  const titles = (await context.tree()).windows.map(({ title }) => JSON.stringify(title)).join(', ');
  throw taskError(
    stepName('window'),
    `no window ${JSON.stringify(name)}. The windows are: ${titles || 'none'}.`,
  );
}

async function requireProgram({ shell }: TaskContext, program: string): Promise<void> {
  const { code } = await shell.run(`command -v ${quotePath(program)}`);
  if (code !== 0)
    throw taskError(
      stepName('launch'),
      `no program ${JSON.stringify(program)} on this desktop. Install it in the image.`,
    );
}
