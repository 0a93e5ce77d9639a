import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { inherited, instructed, programFor, type Surroundings } from '../../extension/program.ts';
import { instructionOf } from '../../runtime/cli/run.ts';

const around: Surroundings = {
  node: '/opt/code/code',
  platform: 'linux',
  installed: '/home/ada/.vscode/extensions/dartboard',
  workspace: '/home/ada/agents',
  home: '/home/ada',
};

test('it starts in the folder that is open', () => {
  expect(programFor(['eval', '--json'], around)).toEqual({
    file: '/opt/code/code',
    args: ['/home/ada/.vscode/extensions/dartboard/dist/main.js', 'eval', '--json'],
    env: { ELECTRON_RUN_AS_NODE: '1' },
    cwd: '/home/ada/agents',
    shell: undefined,
  });
});

test("without a folder it starts in the user's home", () => {
  expect(programFor(['play'], { ...around, workspace: undefined }).cwd).toBe(around.home);
});

test('only on Windows a shell stands between, for the sake of its console', () => {
  expect(programFor(['serve'], { ...around, platform: 'win32' }).shell?.executable).toBe('cmd.exe');
  expect(programFor(['serve'], { ...around, platform: 'darwin' }).shell).toBeUndefined();
});

test('an instruction goes past every shell as it was written', () => {
  const program = programFor(['run'], { ...around, platform: 'win32' });
  const instruction = 'Print the note "Shopping list" at 5 % & save it.';
  const { args, env } = instructed(program, instruction);
  expect(args).toEqual(program.args);
  expect(instructionOf(undefined, env)).toBe(instruction);
  expect(instructionOf('Mute.', env)).toBe('Mute.');
  expect(instructionOf(undefined, {})).toBeUndefined();
  expect(instructionOf(' ', {})).toBeUndefined();
});

test('what VS Code tells its own processes is not passed on', () => {
  const environment = { PATH: '/bin', VSCODE_PID: '1', ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '--inspect' };
  expect(inherited(environment)).toEqual({ PATH: '/bin' });
});

test.each(['serve', 'eval', 'run', 'play', 'doctor'])('the command line knows %s', command => {
  const installed = fileURLToPath(new URL('../..', import.meta.url));
  const { file, args, env } = programFor([command], { ...around, node: process.execPath, installed });
  const { status, stdout, stderr } = spawnSync(file, [...args, '--help'], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(stdout).toContain(`dartboard ${command}`);
  expect(status).toBe(0);
});
