import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { childEnvironment, commandLine, type Installation } from '../../extension/program.ts';

const installation: Installation = {
  node: '/opt/code/code',
  platform: 'linux',
  extensionPath: '/home/ada/.vscode/extensions/dartboard',
  folder: '/home/ada/agents',
  home: '/home/ada',
};

test('starts in the open folder', () => {
  expect(commandLine(['eval', '--json'], installation)).toEqual({
    file: '/opt/code/code',
    args: ['/home/ada/.vscode/extensions/dartboard/dist/main.js', 'eval', '--json'],
    env: { ELECTRON_RUN_AS_NODE: '1' },
    cwd: '/home/ada/agents',
    shell: undefined,
  });
});

test('starts in the home folder if no folder is open', () => {
  expect(commandLine(['doctor'], { ...installation, folder: undefined }).cwd).toBe(installation.home);
});

test('uses a shell only on Windows, which provides the console', () => {
  expect(commandLine(['serve'], { ...installation, platform: 'win32' }).shell?.executable).toBe('cmd.exe');
  expect(commandLine(['serve'], { ...installation, platform: 'darwin' }).shell).toBeUndefined();
});

test("child processes do not inherit VS Code's own variables", () => {
  const environment = { PATH: '/bin', VSCODE_PID: '1', ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '--inspect' };
  expect(childEnvironment(environment)).toEqual({ PATH: '/bin' });
});

test.each(['serve', 'eval', 'run', 'record', 'doctor'])('the command line has the command %s', command => {
  const extensionPath = fileURLToPath(new URL('../..', import.meta.url));
  const program = commandLine([command], { ...installation, node: process.execPath, extensionPath });
  const { status, stdout, stderr } = spawnSync(program.file, [...program.args, '--help'], {
    env: { ...process.env, ...program.env },
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(stdout).toContain(`dartboard ${command}`);
  expect(status).toBe(0);
});
