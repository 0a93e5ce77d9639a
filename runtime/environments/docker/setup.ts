// The steps that prepare a desktop, by the names and parameters of OSWorld's task files. Each is one small function in one table;
// a step that needs a network says what to write instead.

import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { type Boundary, BoundaryError } from '../../core/failure.ts';
import type { SetupStep } from '../../core/task.ts';
import { programOf, quotePath, shellLine, type TaskCommand } from './command.ts';
import { writeFile } from './files.ts';
import type { ElementTree } from './hub.ts';
import type { ContainerShell } from './shell.ts';
import { shellQuote } from './shell-frame.ts';

export interface DesktopWindow {
  readonly xid: number;
  readonly title: string;
}

/** What steps have to work with. */
export interface TaskContext {
  readonly shell: ContainerShell;
  readonly clock: Clock;
  /** The windows that are there, from back to front. */
  windows(): Promise<readonly DesktopWindow[]>;
  /** With what is in each of them, covered or not. */
  tree(): Promise<ElementTree>;
  /** What commands printed, under the names that a task gave: evaluators ask for it. */
  readonly printed: Map<string, string>;
}

type Step = (bench: TaskContext, parameters: unknown) => Promise<void>;

/** Milliseconds, and how often somebody looks in them. Large programs on a busy machine take many seconds for a window. */
const WINDOW = 30_000;
const HANDED_ON = 5000;
const UNTIL = 120_000;
const LOOK = 15;
const AGAIN = 300;

const command = {
  command: z.union([z.string().min(1), z.array(z.string()).nonempty()]),
  shell: z.boolean().optional(),
};
const window = {
  window_name: z.string().min(1),
  strict: z.boolean().default(false),
  by_class: z.boolean().default(false),
};
const file = z.union([
  z.strictObject({ path: z.string().min(1), content: z.string() }),
  z.strictObject({ path: z.string().min(1), base64: z.base64() }),
]);

const execute = step(
  'execute',
  {
    ...command,
    stdout: z.string().default(''),
    stderr: z.string().default(''),
    until: z
      .strictObject({
        returncode: z.number().optional(),
        stdout: z.string().optional(),
        stderr: z.string().optional(),
      })
      .default({}),
  },
  executed,
);

const STEPS: Readonly<Record<string, Step>> = {
  /** Starts a program, and waits for its window if it has one, not for its end. */
  launch: step('launch', { ...command, window: z.boolean().default(true) }, launched),
  /** Runs a command to its end; with `until`, again and again until it came to that. */
  execute,
  command: execute,
  /** Opens a file or a folder with the program for it, and waits for its window. */
  open: step('open', { path: z.string().min(1) }, opened),
  sleep: step('sleep', { seconds: z.number().nonnegative() }, ({ clock }, { seconds }) =>
    clock.sleep(seconds * 1000),
  ),
  activate_window: step('activate_window', window, (bench, asked) => windowAsked(bench, '-a', asked)),
  close_window: step('close_window', window, (bench, asked) => windowAsked(bench, '-c', asked)),
  /** OSWorld's takes files of the machine that trains; a task that stands alone has them in itself. */
  upload_file: step('upload_file', { files: z.array(file) }, async ({ shell }, { files }) => {
    for (const each of files) {
      const data = 'content' in each ? Buffer.from(each.content) : Buffer.from(each.base64, 'base64');
      await writeFile(shell, { path: each.path, data });
    }
  }),
  download: async () => {
    throw fault(
      'download',
      'a desktop has no network: write what the file holds into the task, as upload_file',
    );
  },
};

export async function runSetupStep(bench: TaskContext, { type, parameters = {} }: SetupStep): Promise<void> {
  const found = Object.hasOwn(STEPS, type) ? STEPS[type] : undefined;
  if (found === undefined)
    throw fault(type, `there is no such step; known are ${Object.keys(STEPS).join(', ')}`);
  await found(bench, parameters);
}

function step<Shape extends z.ZodRawShape>(
  type: string,
  shape: Shape,
  does: (bench: TaskContext, parameters: z.infer<z.ZodObject<Shape>>) => Promise<void>,
): Step {
  const schema = z.object(shape);
  return async (bench, parameters) => {
    const read = schema.safeParse(parameters);
    if (read.success) return does(bench, read.data);
    const complaints = read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw fault(type, complaints.join('; '));
  };
}

async function launched(
  bench: TaskContext,
  asked: TaskCommand & { readonly window: boolean },
): Promise<void> {
  const program = programOf(asked);
  if (program !== undefined) await mustExist(bench, 'launch', program);
  if (asked.window) await untilWindow(bench, shellLine(asked), 'launch');
  else await started(bench, shellLine(asked));
}

/** Gives its number. In a session of its own it outlives the shell, and what kills a command that hangs passes it by. */
async function started({ shell }: TaskContext, line: string): Promise<string> {
  const { output } = await shell.run(`setsid sh -c ${shellQuote(line)} </dev/null >/dev/null 2>&1 & echo $!`);
  return text(output).trim();
}

/**
 * As its last sign of life a program has a window. One that ends before may have handed on what it was to show. Where none comes the
 * desktop is not what the task asks for, and another one is tried.
 */
async function untilWindow(bench: TaskContext, line: string, type: string): Promise<void> {
  const { shell, clock } = bench;
  const before = new Set((await bench.windows()).map(({ xid }) => xid));
  const process = await started(bench, line);
  let end = clock.now() + WINDOW;
  let isGone = false;
  for (; clock.now() < end; await clock.sleep(LOOK)) {
    if ((await bench.windows()).some(({ xid }) => !before.has(xid))) return;
    if (isGone || (await shell.run(`[ -d /proc/${process} ]`)).code === 0) continue;
    isGone = true;
    end = Math.min(end, clock.now() + HANDED_ON);
  }
  const came = isGone ? 'ended, and showed no window' : `showed no window within ${WINDOW / 1000} s`;
  const remedy = type === 'launch' ? `. Where it has none, say so in the task: "window": false` : '';
  throw fault(type, `${line} ${came}${remedy}`, 'environment');
}

async function executed(
  { shell, clock, printed }: TaskContext,
  asked: TaskCommand & { stdout: string; stderr: string; until: Until },
): Promise<void> {
  const line = shellLine(asked);
  const end = clock.now() + UNTIL;
  for (;;) {
    const { code, output, errors } = await shell.run(line);
    if (code === NOT_FOUND || code === NOT_A_PROGRAM)
      throw fault('execute', `${line}: ${text(errors).trim()}`);
    const said = { returncode: code, stdout: text(output), stderr: text(errors) };
    if (asked.stdout !== '') printed.set(asked.stdout, said.stdout);
    if (asked.stderr !== '') printed.set(asked.stderr, said.stderr);
    if (isEnough(asked.until, said)) return;
    if (clock.now() >= end)
      throw fault('execute', `${line} did not come to its 'until' in ${UNTIL / 1000} s`);
    await clock.sleep(AGAIN);
  }
}

const NOT_A_PROGRAM = 126;
const NOT_FOUND = 127;

interface Until {
  readonly returncode?: number | undefined;
  readonly stdout?: string | undefined;
  readonly stderr?: string | undefined;
}

/** Any of what is named will do, and nothing named is enough at once. */
const isEnough = (
  { returncode, stdout, stderr }: Until,
  said: { readonly returncode: number; readonly stdout: string; readonly stderr: string },
): boolean =>
  (returncode === undefined && stdout === undefined && stderr === undefined) ||
  returncode === said.returncode ||
  (stdout !== undefined && said.stdout.includes(stdout)) ||
  (stderr !== undefined && said.stderr.includes(stderr));

async function opened(bench: TaskContext, { path }: { readonly path: string }): Promise<void> {
  const word = quotePath(path);
  if ((await bench.shell.run(`[ -e ${word} ]`)).code !== 0) throw fault('open', `there is no ${path}`);
  const isFolder = (await bench.shell.run(`[ -d ${word} ]`)).code === 0;
  await untilWindow(bench, `exec ${isFolder ? 'pcmanfm' : 'mousepad'} ${word}`, 'open');
}

/** A window by its title or its class, or a part of it, whatever the capitals; `strict` wants all of it as it is. */
async function windowAsked(
  bench: TaskContext,
  deed: '-a' | '-c',
  asked: { readonly window_name: string; readonly strict: boolean; readonly by_class: boolean },
): Promise<void> {
  const { window_name: name, strict, by_class: byClass } = asked;
  const line = `wmctrl${byClass ? ' -x' : ''}${strict ? ' -F' : ''} ${deed} ${shellQuote(name)}`;
  const { code } = await bench.shell.run(line);
  if (code === 0) return;
  const titles = (await bench.windows()).map(({ title }) => JSON.stringify(title)).join(', ');
  throw fault('window', `there is no window ${JSON.stringify(name)}; there are ${titles || 'none'}`);
}

async function mustExist({ shell }: TaskContext, type: string, program: string): Promise<void> {
  const { code } = await shell.run(`command -v ${quotePath(program)}`);
  if (code !== 0) throw fault(type, `there is no program ${JSON.stringify(program)} on this desktop`);
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

const fault = (type: string, message: string, boundary: Boundary = 'task'): BoundaryError =>
  new BoundaryError({ boundary, thing: `set-up step ${type}`, message });
