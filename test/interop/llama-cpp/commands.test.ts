// The commands of model agents against a real server of llama.cpp: check, evaluate, collect. Needs the bundles that `npm test` builds
// first. No model of this size solves a task, and these tests check what is reported: a few layers of it suffice.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeUnless } from '../../environments/docker/engine.ts';
import { temporaryFolder } from '../../temporary.ts';
// biome-ignore lint/correctness/useImportExtensions: its types are in the .d.mts file.
import { FEW_LAYERS } from '../install-folder.mjs';
import { missingPackages } from '../python.ts';
import { RECORDED } from './recordings.ts';
import { KEY, type LlamaServer, MODEL, startLlamaServer } from './server.ts';

const MAIN = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
const KEY_VARIABLE = 'DARTBOARD_TEST_KEY';
const TASK = 'settings-theme';

describeUnless(missingPackages, 'with an agent behind the server of llama.cpp', () => {
  let server: LlamaServer;
  let folder: string;
  beforeAll(async () => {
    server = await startLlamaServer(FEW_LAYERS);
    folder = temporaryFolder('llama');
    const agent = {
      ...{ profile: 'generic', mode: 'a11y_tree', url: server.url, model: MODEL, key: { env: KEY_VARIABLE } },
      // Its replies only end at the limit.
      ...{ sampling: { maxTokens: 12 }, limits: { concurrency: 2, timeoutSeconds: 600 } },
    };
    writeFileSync(join(folder, 'dartboard.json'), JSON.stringify({ agents: { smol: agent } }));
  });
  afterAll(() => server?.stop());

  async function run(...args: readonly string[]) {
    const child = spawn(process.execPath, [MAIN, ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, [KEY_VARIABLE]: KEY },
    });
    const [stdout, stderr] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { stdout, stderr, status: child.exitCode };
  }

  test('endpoint check finds what the server accepts, and that replies are cut', async () => {
    const { stdout, stderr, status } = await run('endpoint', 'check', '--agent', 'smol', '--json');
    expect({ stderr, status }).toEqual({ stderr: '', status: 1 });
    const { ok, reports } = JSON.parse(stdout);
    expect(ok).toBe(false);
    const [kind, version] = RECORDED.server.split(' ');
    expect(reports).toMatchObject([
      {
        model: MODEL,
        capabilities: {
          ...{ server: { kind, version }, limitField: 'max_tokens', keepsLimit: true, allTokens: 0 },
          ...{ topCount: 20, tokenIds: false, promptIds: false, defects: [] },
        },
        uses: {
          evaluation: { allowed: false, reasons: [expect.stringContaining('cut at the limit of 12 tokens')] },
          training: {
            allowed: false,
            reasons: expect.arrayContaining([expect.stringContaining('token ids')]),
          },
        },
      },
    ]);
    const findings: readonly { readonly name: string; readonly state: string; readonly says: string }[] =
      reports[0].findings;
    const named = (name: string) => findings.find(each => each.name === name);
    expect(named('Length')?.state).toBe('problem');
    expect(named('Log-probabilities')?.says).toContain('raw');
    expect(named('Reports')?.state).toBe('ok');
    expect(named('Speed')?.says).toMatch(/^\d/);
  });

  test('an evaluation judges an episode, counts its cut replies, and writes it in the layout of OSWorld', async () => {
    const options = ['--tasks', TASK, '--instances', '1', '--json', '--out', 'results'];
    const { stdout, stderr, status } = await run('eval', '--agent', 'smol', ...options);
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    const { episodes, ...total } = JSON.parse(stdout);
    expect(total).toMatchObject({ agent: 'smol', status: 'ended', trials: 1, broken: 0, failedRequests: {} });
    expect(episodes).toMatchObject([{ task: TASK, outcome: { kind: 'judged' }, retries: {} }]);
    const [{ turns, truncated, promptTokens, completionTokens }] = episodes;
    expect(truncated).toBe(turns);
    expect(promptTokens).toBeGreaterThan(100 * turns);
    expect(completionTokens).toBeGreaterThanOrEqual(12 * turns);
    const files = readdirSync(join(folder, 'results'), { recursive: true }).map(String);
    expect(files.filter(file => file.endsWith('traj.jsonl'))).toHaveLength(1);
    expect(files.filter(file => file.endsWith('result.txt'))).toHaveLength(1);
  });

  test('a collection plays an attempt, and stores no failure', async () => {
    const options = ['--tasks', TASK, '--instances', '1', '--rollouts', '1'];
    const { stdout, stderr, status } = await run('collect', '--agent', 'smol', ...options);
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    expect(stdout).toContain(`Agent 'smol' (${MODEL}, profile generic) at temperature 1`);
    expect(stdout).toMatch(/\n +total +1 +0 +0 +0\n/);
    expect(existsSync(join(folder, '.dartboard'))).toBe(true);
  });
});
