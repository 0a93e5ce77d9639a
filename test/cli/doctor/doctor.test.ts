// The doctor: each check says what it sees and what to do, and only a missing required part is a problem.

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { docker, engines } from '../../../runtime/cli/doctor/docker.ts';
import { cores, disk, diskAt, listenOnce, memory, ports } from '../../../runtime/cli/doctor/machine.ts';
import { engineAt, node, onnxRuntime, sqlJs, sumBySql } from '../../../runtime/cli/doctor/programs.ts';
import { exitCode, report, reportJson, runChecks } from '../../../runtime/cli/doctor/report.ts';
import { web } from '../../../runtime/cli/doctor/web.ts';
import { doctor } from '../../../runtime/cli/doctor.ts';
import { renderLine } from '../../../runtime/cli/terminal/line.ts';
import { ConfigError } from '../../../runtime/config/settings.ts';
import { BoundaryError } from '../../../runtime/core/failure.ts';
import { type Finding, ok, problem, warning } from '../../../runtime/core/finding.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { hostSettings } from '../../../runtime/environments/docker/address.ts';
import { browserHere } from '../../../runtime/environments/web/browser-here.ts';
import { engineHere } from '../../../runtime/server/desktops/kinds.ts';

/** What a browser on this machine would be reported as. */
const CHROMIUM = { path: '/opt/chromium', version: 'HeadlessChrome/150', isSandboxed: true };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dartboard-doctor-'));
});
afterEach(() => rm(folder, { recursive: true }));

const ENGINE = new URL('../../../dist/engine.js', import.meta.url);
const failing = (message: string, code?: string) => async () => {
  throw Object.assign(new Error(message), code === undefined ? {} : { code });
};

describe('programs', () => {
  test.each([
    ['18.20.4', 'problem'],
    ['20.14.0', 'problem'],
    ['20.15.0', 'ok'],
    ['24.1.0', 'ok'],
  ])('Node %s: %s', (version, state) => expect(node(version).state).toBe(state));

  test('ONNX Runtime computes in a child process', async () => {
    expect(await onnxRuntime(engineAt(ENGINE))).toMatchObject({
      state: 'ok',
      says: expect.stringMatching(/native$/),
    });
  });

  test('the WebAssembly build is a warning with the reason', async () => {
    const native = await engineAt(ENGINE)();
    const found = await onnxRuntime(async () => ({
      runtime: 'wasm',
      version: '1.30.0',
      insteadOfNative: 'no binary\nfor this platform',
      open: program => native.open(program),
      close: () => native.close(),
    }));
    expect(found).toMatchObject({
      state: 'warning',
      says: expect.stringMatching(/three times slower than native: no binary$/),
    });
  });

  test('a runtime that fails or miscomputes is a problem, and no process remains', async () => {
    expect(await onnxRuntime(failing('no such file'))).toMatchObject({
      state: 'problem',
      says: expect.stringMatching(/no such file/),
    });
    let isClosed = false;
    const found = await onnxRuntime(async () => ({
      runtime: 'native',
      version: '1',
      open: failing('broken'),
      close: async () => {
        isClosed = true;
      },
    }));
    expect([found.state, isClosed]).toEqual(['problem', true]);
  });

  test('sql.js computes a sum', async () => {
    expect(await sqlJs(sumBySql)).toMatchObject({ state: 'ok' });
    expect(await sqlJs(failing('no sql-wasm.wasm'))).toMatchObject({
      state: 'problem',
      says: expect.stringMatching(/no sql-wasm/),
    });
    expect(await sqlJs(async () => 4)).toMatchObject({
      state: 'problem',
      says: expect.stringMatching(/= 4/),
    });
  });
});

describe('the machine', () => {
  test('the finding about cores has the number of workers', () => {
    expect(cores(1).state).toBe('warning');
    expect(cores(8)).toMatchObject({ state: 'ok', says: expect.stringMatching(/up to 7$/) });
    expect(cores(128).says).toMatch(/up to 16$/);
  });

  test('the finding about memory has the number of workers, even without the free memory', () => {
    expect(memory(0.8e9, 8e9)).toMatchObject({
      state: 'warning',
      says: expect.stringMatching(/^800 MB free of 8 GB/),
    });
    expect(memory(2.1e9, 8e9).says).toMatch(/2 workers$/);
    expect(memory(undefined, 4e9)).toMatchObject({
      state: 'ok',
      says: expect.stringMatching(/^4 GB: enough for 2 workers/),
    });
  });

  test.each([
    [{ free: 1e8, sync: 1 }, 'problem'],
    [{ free: 1e9, sync: 1 }, 'warning'],
    [{ free: 1e12, sync: 500 }, 'warning'],
    [{ free: 1e12, sync: 5 }, 'ok'],
  ] as const)('a disk with %j is %s', async (seen, state) => {
    expect((await disk(folder, async () => seen)).state).toBe(state);
  });

  test('the disk check writes a file and removes it', async () => {
    let now = 0;
    const seen = await diskAt(() => (now += 20))(folder);
    expect(seen.sync).toBe(20);
    expect(seen.free).toBeGreaterThan(0);
    expect(await readdir(folder)).toEqual([]);
    const missing = await disk(
      join(folder, 'missing'),
      diskAt(() => 0),
    );
    expect(missing).toMatchObject({
      state: 'problem',
      says: expect.stringMatching(/missing' cannot be written/),
    });
  });

  test('a port that cannot be listened on is a problem', async () => {
    expect((await ports(listenOnce)).state).toBe('ok');
    expect(await ports(failing('EPERM'))).toMatchObject({
      state: 'problem',
      says: expect.stringMatching(/EPERM/),
    });
  });
});

const NO_LEFTOVERS = { removed: [], error: undefined, inUse: [] };
const noLeftovers = async () => NO_LEFTOVERS;

describe('Docker', () => {
  const look = (DOCKER_HOST?: string) => () =>
    engineHere({ ...hostSettings({ DOCKER_HOST }), exists: () => false }, systemClock);

  test('no engine is fine unless the environment names one', async () => {
    const missing = failing('connect ENOENT', 'ENOENT');
    expect((await docker(false, missing, noLeftovers)).state).toBe('ok');
    const nowhere = join(folder, 'nowhere.sock');
    const named = await docker(true, look(`unix://${nowhere}`), noLeftovers);
    expect(named).toMatchObject({
      state: 'warning',
      says: expect.stringContaining(nowhere),
      remedy: expect.stringMatching(/correct DOCKER_HOST/),
    });
    expect((await docker(false, failing('denied', 'EACCES'), noLeftovers)).state).toBe('warning');
  });

  test('an invalid address is a warning with the valid forms', async () => {
    const odd = await docker(true, look('http://lab'), noLeftovers);
    expect(odd).toMatchObject({ state: 'warning', says: expect.stringMatching(/DOCKER_HOST.*ssh:\/\//) });
  });

  test('the finding has the version and the image of the engine', async () => {
    const path = join(folder, 'docker.sock');
    const answers: Readonly<Record<string, unknown>> = {
      '/info': { ServerVersion: '27.1', NCPU: 2, MemTotal: 1e9 },
      '/images/json': [],
    };
    const server: Server = createServer((asked, answer) => {
      const found = answers[(asked.url ?? '').replace(/^\/v[\d.]+|\?.*$/g, '')];
      answer.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
      answer.end(JSON.stringify(found ?? {}));
    });
    await new Promise<void>(resolve => server.listen(path, resolve));
    onTestFinished(() => void server.close());
    const found = await docker(true, look(`unix://${path}`), noLeftovers);
    expect(found).toMatchObject({ state: 'ok', says: expect.stringMatching(/version 27\.1.*docker build/) });
  });

  test('of the configured engines all missing is a problem, some missing a warning', async () => {
    const facts = {
      version: '29',
      processors: 2,
      memory: 1e9,
      limitsProcessors: false,
      leftovers: NO_LEFTOVERS,
    };
    const well = async () => ({ ...facts, where: 'farm', image: 'mine:1' });
    const away = failing('no engine answers');
    expect(await engines([well()])).toMatchObject({
      state: 'ok',
      says: expect.stringMatching(/farm.*29.*mine:1.*cannot limit processors/),
    });
    expect(await engines([away(), away()])).toMatchObject({
      state: 'problem',
      remedy: expect.stringMatching(/environments\.docker/),
    });
    expect(await engines([well(), away()])).toMatchObject({
      state: 'warning',
      says: expect.stringMatching(/farm.*no engine answers/),
    });
  });
});

describe('the report', () => {
  const findings: readonly Finding[] = [
    ok('Node', '20.15.0'),
    warning('Memory', 'little', 'Buy some.'),
    problem('Disk', 'full', 'Make room.'),
  ];
  const text = (of: readonly Finding[]) => report(of, 80).map(line => renderLine(line, false));

  test('is a table with remedies', () => {
    expect(text(findings)).toEqual([
      'ok       Node    20.15.0',
      'warning  Memory  little',
      '                 → Buy some.',
      'problem  Disk    full',
      '                 → Make room.',
      '',
      expect.stringContaining('cannot train'),
    ]);
  });

  test('the exit code is 1 only with a problem', () => {
    expect([findings, findings.slice(0, 2), []].map(exitCode)).toEqual([1, 0, 0]);
    expect(JSON.parse(reportJson(findings))).toEqual({ ok: false, findings });
    expect(text(findings.slice(0, 1)).at(-1)).toContain('can train');
  });

  test('a check that throws is a finding, and the others still run', async () => {
    const found = await runChecks({ First: failing('oh'), Second: () => ok('Second', 'fine') });
    expect(found).toMatchObject([
      { name: 'First', state: 'problem', says: expect.stringMatching(/oh/) },
      { name: 'Second', state: 'ok' },
    ]);
  });

  test('only a check that breaks by a mistake of the program asks for a report', async () => {
    const denied = Object.assign(new Error('EACCES: permission denied'), {
      ...{ code: 'EACCES', syscall: 'open', path: '/w/run.json' },
    });
    const found = await runChecks({
      Runs: () => Promise.reject(denied),
      Web: () => Promise.reject(new TypeError('fetch failed', { cause: denied })),
      Settings: () => Promise.reject(new ConfigError(['dartboard.json:1:1: no JSON'])),
      Node: () => Promise.reject(new TypeError('x is not a function')),
      Memory: () => Promise.reject(new RangeError('Invalid array length')),
    });
    const again = "Remove the cause above, then run 'dartboard doctor' again.";
    const broken = 'The check itself is broken. Please report it.';
    expect(found.map(({ remedy }) => remedy)).toEqual([again, again, again, broken, broken]);
    expect(found[0]?.says).toContain("Cannot open '/w/run.json': this user has no permission");
  });
});

describe('web', () => {
  const looks = { isNeeded: true, find: () => undefined, start: async () => CHROMIUM };
  const missing = () =>
    browserHere('auto', { platform: 'linux', environment: {}, isExecutable: () => false });

  test('reports the browser, its version and whether its sandbox is on', async () => {
    expect(await web(looks)).toEqual(ok('Web', 'HeadlessChrome/150 at /opt/chromium'));
    const start = async () => ({ ...CHROMIUM, isSandboxed: false });
    expect((await web({ ...looks, start })).says).toMatch(/without its sandbox since this user is root$/);
  });

  test('a missing browser is a problem only if web desktops are configured, with the way to install one', async () => {
    const found = await web({ ...looks, find: missing });
    expect(found).toMatchObject({ state: 'problem', remedy: expect.stringContaining('apt-get install') });
    expect((await web({ ...looks, find: missing, isNeeded: false })).state).toBe('ok');
  });

  test('a browser that does not start is reported with its reason', async () => {
    const message = 'it ended: libnss3.so is missing. Install the library.';
    const start = () =>
      Promise.reject(new BoundaryError({ boundary: 'provider', thing: 'browser', message }));
    expect(await web({ ...looks, start })).toMatchObject({
      ...{ state: 'problem', says: 'it ended: libnss3.so is missing', remedy: 'Install the library.' },
    });
    expect((await web({ ...looks, start, isNeeded: false })).state).toBe('warning');
  });

  test('counts the tasks of MiniWoB++, or reports that the folder has none', async () => {
    expect((await web({ ...looks, pages: async () => 104 })).says).toMatch(/; 104 tasks of MiniWoB\+\+$/);
    const pages = failing("'nowhere' has no pages. Correct environments.web.miniwob.");
    expect(await web({ ...looks, pages })).toMatchObject({
      ...{ state: 'problem', remedy: 'Correct environments.web.miniwob.' },
    });
  });
});

async function whole(settings: string) {
  await writeFile(join(folder, 'dartboard.json'), settings);
  let written = '';
  const output = {
    write: (part: string) => {
      written += part;
    },
    on: () => undefined,
    off: () => undefined,
  };
  const browsers = { find: () => undefined, inspect: async (path: string) => ({ ...CHROMIUM, path }) };
  const code = await doctor({ engineEntry: ENGINE, folder, json: true, output, environment: {}, browsers });
  const { findings } = JSON.parse(written) as { findings: readonly Finding[] };
  return { code, findings };
}

test('the doctor reports a configured engine that does not answer', async () => {
  const hosts = [{ address: `unix://${join(folder, 'nowhere.sock')}`, capacity: 20 }];
  const settings = { environments: { kind: 'docker', docker: { hosts } } };
  const { code, findings } = await whole(JSON.stringify(settings));
  expect(code).toBe(1);
  expect(findings.find(({ name }) => name === 'Settings')).toMatchObject({ state: 'ok' });
  expect(findings.find(({ name }) => name === 'Docker')).toMatchObject({
    state: 'problem',
    says: expect.stringMatching(/nowhere\.sock.*no engine answers/),
  });
});

test('the doctor starts the configured browser', async () => {
  const settings = { environments: { kind: 'web', web: { browser: '/opt/mine' } } };
  const { findings } = await whole(JSON.stringify(settings));
  expect(findings.find(({ name }) => name === 'Web')).toEqual(ok('Web', 'HeadlessChrome/150 at /opt/mine'));
});

test('the doctor lists configured agents', async () => {
  const lab = { profile: 'generic', model: 'm', url: 'http://lab:8000/v1', key: { env: 'LAB_KEY' } };
  const { findings } = await whole(JSON.stringify({ agents: { lab } }));
  expect(findings.find(({ name }) => name === 'Agents')).toMatchObject({ state: 'warning' });
});

test('the doctor reports an invalid dartboard.json', async () => {
  const { code, findings } = await whole('{ "minutes": 0 }');
  expect(code).toBe(1);
  const needed = ['Node', 'ONNX Runtime', 'sql.js', 'Cores', 'Memory', 'Disk', 'Ports'];
  expect(findings.map(({ name }) => name)).toEqual([
    ...needed,
    'Settings',
    'Daemon',
    'Runs',
    'Docker',
    'Web',
  ]);
  expect(findings.find(({ name }) => name === 'Settings')).toMatchObject({ state: 'problem' });
  expect(findings.find(({ name }) => name === 'ONNX Runtime')?.state).not.toBe('problem');
  expect(await readdir(folder)).toEqual(['dartboard.json']);
});
