import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { programFor, type Surroundings } from '../../extension/start/program.ts';

const around: Surroundings = {
  node: '/opt/code/code',
  platform: 'linux',
  installed: '/home/ada/.vscode/extensions/dartboard',
  workspace: '/home/ada/agents',
  home: '/home/ada',
};

test('it starts in the folder that is open', () => {
  expect(programFor('start', around)).toEqual({
    file: '/opt/code/code',
    args: ['/home/ada/.vscode/extensions/dartboard/dist/main.js', 'start'],
    env: { ELECTRON_RUN_AS_NODE: '1' },
    cwd: '/home/ada/agents',
    shell: undefined,
  });
});

test("without a folder it starts in the user's home", () => {
  expect(programFor('play', { ...around, workspace: undefined }).cwd).toBe(around.home);
});

test('only on Windows a shell stands between, for the sake of its console', () => {
  expect(programFor('start', { ...around, platform: 'win32' }).shell?.executable).toBe('cmd.exe');
  expect(programFor('start', { ...around, platform: 'darwin' }).shell).toBeUndefined();
});

test.each(['start', 'play'] as const)('the command line knows %s', command => {
  const installed = fileURLToPath(new URL('../..', import.meta.url));
  const { file, args, env } = programFor(command, { ...around, node: process.execPath, installed });
  const { status, stdout, stderr } = spawnSync(file, [...args, '--help'], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(stdout).toContain(`dartboard ${command}`);
  expect(status).toBe(0);
});
