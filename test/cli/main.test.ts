// The command line as a user meets it: the program is started, asked, and stopped.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EXAMPLE } from '../environments/pocket/tasks/guide.ts';
import { Client } from '../server/play/client.ts';
import { temporaryFolder } from '../temporary.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' });

test.each([[['--help']], [['play', '--help']], [['help']], [[]]])('%j lists what there is', args => {
  const { status, stdout, stderr } = run(...args);
  expect(stderr).toBe('');
  for (const command of [
    ...['train', 'start', 'resume', 'runs', 'collect', 'serve'],
    ...['doctor', 'eval', 'run', 'play'],
  ]) {
    expect(stdout).toContain(`\n  ${command} `);
    expect(stdout).toContain(`dartboard ${command} [`);
  }
  expect(status).toBe(0);
});

test.each([
  [['begin'], "'begin'"],
  [['launch'], "'launch'"],
  [['start', 'now'], "'now'"],
  [['start', '--tier', '7'], "'7'"],
  [['start', '--preset', 'best'], "--preset takes one of scratch, taught, not 'best'"],
  [['start', '--demonstrations', '33'], "'33'"],
  [['train', '--desktops', '8'], "--desktops takes one of pocket, docker, not '8'"],
  [['start', '--port', 'http'], "'http'"],
  [['start', '--dry-run', '--preset', 'taught', '--demonstrations', '0'], '--demonstrations: The preset'],
  [['resume', 'one', 'two'], "'two'"],
  [['resume', '--minutes', '-1'], '--minutes'],
  [['start', '--curation', 'best'], '--curation takes one of dart, grpo, no-success-pool'],
  [['runs', 'decisions', '--last', '0'], '--last takes a whole number from 1'],
  [['runs', '--task', 'mail-star'], "--task is for 'runs decisions'"],
  [['runs', 'remove'], "'remove'"],
  [['runs', 'delete'], "'runs delete' takes the name"],
  [['runs', '--with-pool'], "--with-pool is for 'runs delete'"],
  [['runs', 'delete', 'one', 'two'], "'two'"],
  [['serve', '--keep'], "'--keep'"],
  [['doctor', 'now'], "'now'"],
  [['play', '--prot', '80'], "'--prot'"],
  [['play', '--out', 'x'], "'--out'"],
  [['play', 'now'], "'now'"],
  [['play', '--port', 'http'], "'http'"],
  [['play', '--port', '65536'], "'65536'"],
  [['train', '--tier', '7'], "'7'"],
  [['train', '--minutes', '0'], "'0'"],
  [['train', '--mode', 'sound'], "'sound'"],
  [['train', '--weights', 'x'], "'--weights'"],
  [['train', '--out', 'elsewhere'], "'--out'"],
  [['collect', '--tier', '7'], "'7'"],
  [['collect', '--tier', '1', '--tasks', 'mail-star'], '--tier and --tasks both say which tasks'],
  [['collect', '--tasks', ','], "',' has none"],
  [['collect', '--oracle', '--tasks', 'settings-them'], "'settings-theme' is likely meant"],
  [['collect', '--oracle', '--from', 'x'], '--from has no effect beside --oracle'],
  [['collect', '--oracle', '--temperature', '2'], '--temperature has no effect beside --oracle'],
  [['collect', '--temperature', '0'], "--temperature takes a number above 0 and up to 10, as 1.5, not '0'"],
  [['collect', '--rollouts', '0'], "'0'"],
  [['collect', '--instances', '33'], "'33'"],
  [['collect', '--minutes', 'long'], "'long'"],
  [['collect', '--from', 'nowhere'], "There are no weights at 'nowhere': give --from"],
  [['eval', '--split', 'all'], "'all'"],
  [['eval', '--weights', 'nowhere'], "There are no weights at 'nowhere'"],
  [['eval', '--weights', MAIN], `'${MAIN}' cannot be used`],
  [['run', 'star', 'it'], "'it'"],
  [['run', '--steps', '0'], "'0'"],
  [['doctor', '--fast'], "'dartboard --help' lists what each command takes."],
])('%j is an error that names what is wrong', (args, named) => {
  const { status, stdout, stderr } = run(...args);
  expect(stderr).toContain(named);
  expect(stdout).toBe('');
  expect(status).toBe(1);
});

test.each([[['eval']], [['run', 'Mute the sound.']]])(
  '%j without a training says how to come by one',
  args => {
    const empty = temporaryFolder('empty');
    const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
      cwd: empty,
      encoding: 'utf8',
    });
    expect(stderr).toContain(
      "Nothing was trained here yet (there is no run in .dartboard/runs): run 'dartboard train' first",
    );
    expect(stdout).toBe('');
    expect(status).toBe(1);
  },
);

test.each(['train', 'start'])(
  '%s --dry-run prints its settings alone, and nothing else where a program reads',
  command => {
    const { status, stdout, stderr } = run(command, '--dry-run', '--tier', '2,1', '--minutes', '7');
    expect(JSON.parse(stdout)).toMatchObject({ minutes: 7, suite: { tiers: [1, 2] }, preset: 'scratch' });
    expect(stderr).toMatch(/suite\.tiers +\[1,2\] +command line/);
    expect(status).toBe(0);
  },
);

describe('dartboard play', () => {
  let child: ChildProcess | undefined;
  afterEach(() => {
    child?.kill('SIGKILL');
  });

  async function started(
    ...args: readonly string[]
  ): Promise<{ child: ChildProcess; said: string; url: URL }> {
    const program = spawn(process.execPath, [MAIN, 'play', ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child = program;
    let said = '';
    for await (const data of program.stdout) {
      said += data;
      const address = /Open (http:\S+) in a browser\.\n.*Ctrl-C stops\.\n/.exec(said)?.[1];
      if (address !== undefined) return { child: program, said, url: new URL(address) };
    }
    throw new Error(`It ended, and had said: ${said}`);
  }

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'prints its address, serves the page, and stops by %s',
    async signal => {
      const { child, url } = await started();
      expect(url.hash).toMatch(/^#[\w-]{32}$/);
      const page = await fetch(new URL('/', url));
      expect(await page.text()).toContain('<title>Dartboard</title>');
      child.kill(signal);
      expect(await once(child, 'exit')).toEqual([0, null]);
    },
  );

  test('says so when its port is taken', async () => {
    const { url } = await started();
    const { status, stderr } = run('play', '--port', url.port);
    expect(stderr).toContain(`Port ${url.port} is taken`);
    expect(status).toBe(1);
  });

  describe('with tasks of the workspace', () => {
    let workspace: string;
    let tasks: string;
    beforeEach(() => {
      workspace = temporaryFolder('workspace');
      tasks = join(workspace, '.dartboard/tasks');
      mkdirSync(tasks, { recursive: true });
      writeFileSync(join(tasks, 'quieter-alerts.json'), EXAMPLE);
    });

    test('serves the example of the guide among the others', async () => {
      const { said, url } = await started('--tasks', tasks);
      expect(said).toContain(`1 task from ${tasks}\n`);
      const client = await Client.enter(Number(url.port), url.hash.slice(1));
      const listed = await client.ask({ call: 'tasks', tier: 2, split: 'test' });
      if (listed.kind !== 'tasks') throw new Error('These are no tasks.');
      expect(listed.tasks.map(({ id }) => id)).toContain('quieter-alerts');
      await client.ask({ call: 'start', task: 'quieter-alerts' });
      await client.ask({ call: 'watch', pause: 0 });
      expect(await client.until(each => each.kind === 'watched')).toMatchObject({
        judgement: { success: true },
      });
      client.socket.close();
    });

    test('finds them below the working directory, and does not start with a bad one', () => {
      writeFileSync(join(tasks, 'bad.json'), '{');
      const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, 'play'], {
        cwd: workspace,
        encoding: 'utf8',
      });
      expect(stderr).toContain(`${join('.dartboard/tasks', 'bad.json')} cannot be read as JSON`);
      expect(stdout).toBe('');
      expect(status).toBe(1);
    });
  });
});
