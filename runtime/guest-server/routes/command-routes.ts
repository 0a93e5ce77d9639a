// Routes that run commands, scripts and programs.

import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { detachedLine, quotePath, shellQuote } from '../../environments/command.ts';
import { CommandTimeout } from '../../environments/docker/shell.ts';
import { errorAnswer, type GuestAnswer, jsonAnswer, textAnswer } from '../answer.ts';
import {
  answered,
  CUT,
  failed,
  lineOf,
  performProgram,
  requireProgram,
  runCommand,
  taskFailure,
  textsOf,
} from '../commands.ts';
import { commandShape, type GuestCall, type GuestRoute, type GuestRoutes, jsonOf } from '../guest-call.ts';
import { usesInput } from '../program/read-program.ts';
import type { ServedMachine } from '../served-machine.ts';
import { windowList } from '../window-list.ts';

const CHECK_TIMEOUT_MS = 5000;
const PYTHON_TIMEOUT_MS = 30_000;
const MAX_SCRIPT_SECONDS = 3600;
const DEFAULT_SCRIPT_SECONDS = 100;

const command = z.object(commandShape);

async function execute(machine: ServedMachine, call: GuestCall): Promise<GuestAnswer> {
  const given = jsonOf(call, command);
  return answered(
    async () => jsonAnswer({ status: 'success', ...(await runCommand(machine, given)) }),
    message => errorAnswer(message),
  );
}

const verified = z.object({
  ...commandShape,
  verification: z
    .object({ window_exists: z.string().optional(), command_success: z.string().optional() })
    .default({}),
  max_wait_time: z.number().min(0).max(MAX_SCRIPT_SECONDS).default(10),
  check_interval: z.number().min(0.01).max(MAX_SCRIPT_SECONDS).default(1),
});

async function executeVerified(machine: ServedMachine, call: GuestCall): Promise<GuestAnswer> {
  const { verification, max_wait_time: most, check_interval: interval, ...given } = jsonOf(call, verified);
  const { clock } = machine;
  return answered(
    async () => {
      const outcome = await runCommand(machine, given);
      const { window_exists: window, command_success: check } = verification;
      if (window === undefined && check === undefined) return jsonAnswer({ status: 'success', ...outcome });
      const start = clock.now();
      for (; clock.now() < start + most * 1000; await clock.sleep(interval * 1000)) {
        if (!(await hasWindow(machine, window)) || !(await succeeds(machine, check))) continue;
        const wait = (clock.now() - start) / 1000;
        return jsonAnswer({ status: 'success', ...outcome, verification: 'passed', wait_time: wait });
      }
      const end = { verification: 'failed', wait_time: most };
      return jsonAnswer({ status: 'verification_failed', ...outcome, ...end }, 500);
    },
    message => errorAnswer(message),
  );
}

async function hasWindow(machine: ServedMachine, name: string | undefined): Promise<boolean> {
  if (name === undefined) return true;
  return (await windowList(machine)).some(({ title }) => title.toLowerCase().includes(name.toLowerCase()));
}

async function succeeds(machine: ServedMachine, line: string | undefined): Promise<boolean> {
  if (line === undefined) return true;
  try {
    return (await machine.run(line, { timeoutMs: CHECK_TIMEOUT_MS })).code === 0;
  } catch (error) {
    if (taskFailure(error) === undefined) throw error;
    return false;
  }
}

/** Does not wait for a window, as OSWorld. */
async function launch(machine: ServedMachine, call: GuestCall): Promise<GuestAnswer> {
  const given = jsonOf(call, command);
  return answered(
    async () => {
      await requireProgram(machine, given);
      await machine.run(detachedLine(lineOf(given)));
      const words = typeof given.command === 'string' ? given.command : given.command.join(' ');
      return textAnswer(`${words} launched successfully`);
    },
    message => errorAnswer(message),
  );
}

async function runPython(machine: ServedMachine, call: GuestCall): Promise<GuestAnswer> {
  const { code } = jsonOf(call, z.object({ code: z.string().default('') }));
  if (code === '') throw failed('Code not supplied!', 400);
  try {
    const outcome = usesInput(code)
      ? await performProgram(machine, code)
      : await pythonOutcome(machine, code);
    const { output, error, returncode } = outcome;
    return jsonAnswer({
      status: returncode === 0 ? 'success' : 'error',
      message: [output, error].filter(text => text !== '').join('\n'),
      ...{ need_more: false, output, error, return_code: returncode },
    });
  } catch (error) {
    const message = taskFailure(error);
    if (message === undefined) throw error;
    const reply = { status: 'error', message, error: message, need_more: false, output: null };
    return jsonAnswer(reply, 500);
  }
}

/** Only images of the user may have Python. */
async function pythonOutcome(machine: ServedMachine, code: string) {
  const { code: missing } = await machine.run('command -v python3');
  if (missing !== 0)
    return {
      output: '',
      error: 'This desktop has no Python. Use /run_bash_script, or an image with python3.\n',
      returncode: 1,
    };
  const result = await machine.run(`python3 -c ${shellQuote(code)}`, { timeoutMs: PYTHON_TIMEOUT_MS });
  return { ...textsOf(result), returncode: result.code };
}

const script = z.object({
  script: z.string().default(''),
  timeout: z.number().min(0.1).max(MAX_SCRIPT_SECONDS).default(DEFAULT_SCRIPT_SECONDS),
  working_dir: z.string().nullish(),
});

/** Errors are among the output, as in OSWorld. */
async function runScript(machine: ServedMachine, call: GuestCall): Promise<GuestAnswer> {
  const { script: text, timeout, working_dir: folder } = jsonOf(call, script);
  const failure = (output: string, status: number) =>
    jsonAnswer({ status: 'error', output, error: '', returncode: -1 }, status);
  if (text === '') return failure('Script not supplied!', 400);
  if (text.includes('\0')) return failure('The script contains a NUL. Remove it.', 400);
  const place = folder ? quotePath(folder) : '"$HOME"';
  return answered(
    async () => {
      if ((await machine.run(`[ -d ${place} ]`)).code !== 0)
        return failure(`Working directory does not exist: ${folder}`, 400);
      const ran = await runFile(machine, text, place, timeout * 1000);
      if (ran === undefined) return failure(`Script execution timed out after ${timeout} seconds`, 500);
      const { code, output, isCut } = ran;
      if (isCut) return failure(CUT, 500);
      const printed = Buffer.from(output).toString('utf8');
      const status = code === 0 ? 'success' : 'error';
      return jsonAnswer({ status, output: printed, error: '', returncode: code });
    },
    message => failure(message, 500),
  );
}

/** From a file, because Linux limits an argument to 128 KB. Undefined if it takes too long. */
async function runFile(machine: ServedMachine, text: string, place: string, timeoutMs: number) {
  const file = `/tmp/${randomUUID()}.sh`;
  await machine.writeFile(file, Buffer.from(text));
  try {
    const line = `cd ${place}; exec 2>&1; exec "$(command -v bash || echo sh)" ${file}`;
    return await machine.run(line, { timeoutMs });
  } catch (error) {
    if (!(error instanceof CommandTimeout)) throw error;
    return undefined;
  } finally {
    // The file is small, and the result of the script counts.
    await machine.run(`rm -f ${file}`).catch(() => undefined);
  }
}

const posted = (run: GuestRoute['run']): GuestRoute => ({ method: 'POST', run });

export const COMMAND_ROUTES: GuestRoutes = {
  '/execute': posted(execute),
  '/setup/execute': posted(execute),
  '/execute_with_verification': posted(executeVerified),
  '/setup/execute_with_verification': posted(executeVerified),
  '/setup/launch': posted(launch),
  '/run_python': posted(runPython),
  '/run_bash_script': posted(runScript),
};
