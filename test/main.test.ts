// The command line as a user meets it: the program is started, asked, and stopped.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8' });

test.each([[['--help']], [['start', '--help']], [[]]])('%j lists what there is', args => {
  const { status, stdout, stderr } = run(...args);
  expect(stderr).toBe('');
  expect(stdout).toContain('dartboard start');
  expect(stdout).toContain('dartboard demonstrate');
  expect(status).toBe(0);
});

test.each([
  [['begin'], "'begin'"],
  [['start', '--prot', '80'], "'--prot'"],
  [['start', '--out', 'x'], "'--out'"],
  [['start', 'now'], "'now'"],
  [['start', '--port', 'http'], "'http'"],
  [['start', '--port', '65536'], "'65536'"],
  [['demonstrate', '--port', '80'], "'--port'"],
])('%j is an error that names what is wrong', (args, named) => {
  const { status, stdout, stderr } = run(...args);
  expect(stderr).toContain(named);
  expect(stdout).toBe('');
  expect(status).toBe(1);
});

describe('dartboard start', () => {
  let child: ChildProcess | undefined;
  afterEach(() => {
    child?.kill('SIGKILL');
  });

  async function started(
    ...args: readonly string[]
  ): Promise<{ child: ChildProcess; said: string; url: URL }> {
    const program = spawn(process.execPath, [MAIN, 'start', ...args], {
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
    const { status, stderr } = run('start', '--port', url.port);
    expect(stderr).toContain(`Port ${url.port} is taken`);
    expect(status).toBe(1);
  });
});
