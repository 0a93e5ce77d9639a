// The command tree: help, errors and completion, without a process.

import { expect, test, vi } from 'vitest';
import { createProgram, runProgram } from '../../runtime/cli/program.ts';
import { contextWithoutProcesses } from './command-context.ts';

async function run(...args: readonly string[]) {
  const { context, output, errors } = contextWithoutProcesses();
  const code = await runProgram(context, args);
  return { code, text: output.text, errors: errors.join('\n') };
}

const COMMANDS = [
  ...['train', 'resume', 'join', 'runs', 'compare', 'eval', 'run', 'collect', 'import', 'export'],
  ...['record', 'serve', 'up', 'model', 'endpoint', 'docker', 'web', 'doctor'],
];

test.each([[['--help']], [['help']], [[]]])('%j lists all commands', async args => {
  const { code, text, errors } = await run(...args);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  for (const command of COMMANDS) expect(text).toMatch(new RegExp(`^  ${command}\\b`, 'm'));
});

test.each(COMMANDS)('%s --help prints the help of that command alone', async command => {
  const { code, text, errors } = await run(command, '--help');
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  expect(text).toMatch(new RegExp(`^Usage: dartboard ${command}\\b`));
  expect(text.match(/Usage:/g)).toHaveLength(1);
});

test('start is another name of train', async () => {
  expect((await run('start', '--help')).text).toBe((await run('train', '--help')).text);
});

test.each([
  [['trian'], ["'trian'", 'Did you mean train?', "'dartboard --help'"]],
  [
    ['train', '--prot', '80'],
    ["'--prot'", 'Did you mean --port?', "'dartboard train --help'"],
  ],
  [['train', 'now'], ['too many arguments']],
  [
    ['train', '--tier', '7'],
    ['--tier', "'7'", 'Give 1, 2, 3 or 4'],
  ],
  [
    ['train', '--preset', 'best'],
    ['--preset', "'best'", 'scratch, taught'],
  ],
  [
    ['train', '--curation', 'best'],
    ['--curation', "'best'", 'dart, grpo, no-success-pool'],
  ],
  [
    ['train', '--demonstrations', '33'],
    ['--demonstrations', "'33'", 'from 0 to 32'],
  ],
  [
    ['train', '--desktops', '8'],
    ['--desktops', "'8'", 'pocket, docker, web'],
  ],
  [
    ['train', '--port', '65536'],
    ['--port', "'65536'", 'from 0 to 65535'],
  ],
  [
    ['train', '--minutes', '0'],
    ['--minutes', "'0'", 'above 0'],
  ],
  [
    ['train', '--mode', 'sound'],
    ['--mode', "'sound'", 'a11y_tree'],
  ],
  [['train', '--dry-run', '--preset', 'taught', '--demonstrations', '0'], ['--demonstrations']],
  [['resume', 'one', 'two'], ['too many arguments']],
  [
    ['resume', '--minutes', '-1'],
    ['--minutes', "'-1'"],
  ],
  [
    ['runs', 'decisions', '--last', '0'],
    ['--last', "'0'", 'from 1'],
  ],
  [['runs', '--task', 'mail-star'], ["'--task'"]],
  [['runs', 'delete'], ['run']],
  [
    ['collect', '--tier', '1', '--tasks', 'mail-star'],
    ['--tier', '--tasks'],
  ],
  [
    ['collect', '--tasks', ','],
    ['--tasks', "','"],
  ],
  [
    ['collect', '--oracle', '--from', 'x'],
    ['--oracle', '--from'],
  ],
  [
    ['collect', '--temperature', '0'],
    ['--temperature', "'0'", 'above 0'],
  ],
  [
    ['collect', '--instances', '33'],
    ['--instances', "'33'", 'from 1 to 32'],
  ],
  [
    ['eval', '--split', 'all'],
    ['--split', "'all'", 'test, train, unseen'],
  ],
  [
    ['eval', '--at-least', '101'],
    ['--at-least', "'101'", 'from 0 to 100'],
  ],
  [['run', 'star', 'it'], ['too many arguments']],
  [
    ['run', '--steps', '0'],
    ['--steps', "'0'", 'from 1 to 100'],
  ],
  [
    ['doctor', '--fast'],
    ["'--fast'", "'dartboard doctor --help'"],
  ],
])('%j is an error that names the option, the value and what to do', async (args, parts) => {
  const { code, text, errors } = await run(...args);
  expect({ code, text }).toEqual({ code: 1, text: '' });
  for (const part of parts) expect(errors.toLowerCase()).toContain(part.toLowerCase());
});

async function namesFor(...args: readonly string[]): Promise<readonly string[]> {
  const { context } = contextWithoutProcesses();
  return (await createProgram(context, args)).commands.map(command => command.name());
}

test.each<readonly string[]>([['--help'], ['trian'], ['complete', '--', ''], ['complete', '--', 'run']])(
  "'%s %s %s' knows every command",
  async (...args) => {
    const names = await namesFor(...args);
    for (const command of [...COMMANDS, 'completion', 'complete']) expect(names).toContain(command);
  },
);

test.each<readonly string[]>([
  ['runs', 'delete'],
  ['complete', '--', 'runs', ''],
  ['complete', '--', 'runs', 'delete', '--'],
])("'%s %s %s %s' loads one command", async (...args) => {
  expect(await namesFor(...args)).toEqual(['runs', 'completion', 'complete']);
});

/** The lines that the completion prints: it writes to the console by itself. */
async function printed(...args: readonly string[]): Promise<readonly string[]> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    expect(await run(...args)).toMatchObject({ code: 0, errors: '' });
    return log.mock.calls.flatMap(([text]) => String(text).split('\n'));
  } finally {
    log.mockRestore();
  }
}

test.each<[readonly string[], string]>([
  [['ru'], 'runs'],
  [['runs', 'del'], 'delete'],
  [['train', '--pre'], '--preset'],
])('the completion of %j offers %s', async (words, offered) => {
  const names = (await printed('complete', '--', ...words)).map(line => line.split('\t')[0]);
  expect(names).toContain(offered);
});

test.each(['bash', 'zsh', 'fish', 'powershell'])(
  'completion %s prints a script of that shell',
  async shell => {
    const script = (await printed('completion', shell)).join('\n');
    expect(script).toMatch(new RegExp(`${shell} completion for dartboard`, 'i'));
    expect(script).toContain('complete');
  },
);
