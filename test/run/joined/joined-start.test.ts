// What a host gets when it joins, and the configuration that it makes of it for its machine.

import { describe, expect, test } from 'vitest';
import { COMPACT } from '../../../runtime/agents/compact/network.ts';
import { blobHash } from '../../../runtime/blobs/blobs.ts';
import { type Config, parseConfig } from '../../../runtime/config/config.ts';
import { runId, taskId } from '../../../runtime/core/ids.ts';
import { DESKTOP_KINDS } from '../../../runtime/protocol/desktop-kinds.ts';
import {
  configHere,
  type JoinedStart,
  readJoinedStart,
  requireTasks,
  startFor,
  withReceived,
} from '../../../runtime/run/joined/joined-start.ts';
import type { ReceivedTasks } from '../../../runtime/run/joined/received-tasks.ts';

const START: JoinedStart = {
  ...{ at: 7, run: runId('run'), config: parseConfig({}), tasks: [taskId('files-rename')], shape: COMPACT },
  host: 'tower',
};
const OFFERS = { desktops: 3, policy: 2 };

/** As it arrives. */
const sent = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('what a daemon describes', () => {
  test.each(DESKTOP_KINDS)('of a run of the kind %s is read unchanged', kind => {
    const hosts = [1, 2].map(number => ({
      ...{ address: `http://10.0.0.${number}:5000`, browserPort: 1, vlcPort: 2 },
    }));
    const guest = kind === 'guest' && { guest: { hosts, password: 'secret' } };
    const suite = kind === 'guest' ? { tasks: ['a'], files: 'tasks' } : { tiers: [1] };
    const config = parseConfig({ suite, environments: { kind, ...guest } });
    const taskFiles = blobHash(Uint8Array.of(1));
    const start = startFor('tower', { ...START, config, ...(kind === 'guest' && { taskFiles }) }, 7);
    expect(start.taskFiles).toBe(kind === 'guest' ? taskFiles : undefined);
    expect(readJoinedStart(sent(start))).toEqual(start);
    expect(JSON.stringify(start)).not.toContain('secret');
    expect(start).toMatchObject({ at: 7, host: 'tower', config: { environments: { kind } } });
  });

  test('of a run of a model has what prompts it, and nothing of its servers', () => {
    const sampling = { temperature: 1, maxTokens: 300 };
    const servers = { url: 'http://gpu:8000/v1', model: 'seven-billion', key: { env: 'GPU_KEY' } };
    const tars = { profile: 'ui-tars-1.5', sampling, ...servers };
    const config = parseConfig({ agent: 'tars', agents: { tars } });
    const start = startFor('tower', { ...START, config }, 7);
    expect(readJoinedStart(sent(start))).toEqual(start);
    expect(start).toMatchObject({ config: { agent: 'tars', agents: {} } });
    expect(start.prompted).toEqual({ profile: 'ui-tars-1.5', sampling });
    for (const secret of ['gpu:8000', 'seven-billion', 'GPU_KEY'])
      expect(JSON.stringify(start)).not.toContain(secret);
    expect(startFor('tower', START, 7)).not.toHaveProperty('prompted');
  });
});

test.each([
  ['nothing', undefined],
  ['another configuration', { ...START, config: { ...START.config, later: 1 } }],
  ['a task that is none', { ...START, tasks: [''] }],
  ['a list of files that is no blob', { ...START, taskFiles: '../list' }],
])('%s is refused, with the remedy', (_, value) => {
  expect(() => readJoinedStart(value)).toThrow(/same version of Dartboard/);
});

describe('the configuration of a host', () => {
  test('has its own desktops and workers, and all else of the run', () => {
    const run = parseConfig({ seed: 'the run', rollout: { temperature: 2 }, mode: 'a11y_tree' });
    const here = configHere(run, parseConfig({ seed: 'here' }), OFFERS);
    expect(here).toEqual({
      ...run,
      environments: { ...run.environments, desktops: 3 },
      rollout: { ...run.rollout, workers: 2 },
    });
  });

  test('uses its own engines, browser and guests, and the screens of the run', () => {
    const docker = { image: 'large', hosts: [{ address: 'ssh://of-the-run', capacity: 50 }] };
    const run = parseConfig({ environments: { kind: 'docker', docker } });
    const hosts = [{ address: 'unix:///here.sock', capacity: 40 }];
    const own = parseConfig({ environments: { kind: 'docker', docker: { hosts, screen: '1280x720' } } });
    const { environments } = configHere(run, own, OFFERS);
    expect(environments.docker).toEqual({ ...run.environments.docker, hosts });

    const web = (browser: string, extra: object = {}): Config =>
      parseConfig({ environments: { kind: 'web', web: { browser, ...extra } } });
    const size = { width: 500, height: 400 };
    expect(configHere(web('theirs', { size }), web('mine'), OFFERS).environments.web).toMatchObject({
      ...{ browser: 'mine', size },
    });
    const guest = [{ address: 'http://10.0.0.2:5000', browserPort: 1, vlcPort: 2 }];
    const guests = (list: typeof guest) => ({
      ...run,
      environments: { ...run.environments, guest: { ...run.environments.guest, hosts: list } },
    });
    expect(configHere(guests([]), guests(guest), OFFERS).environments.guest.hosts).toEqual(guest);
  });

  test('reads the task files that the run sent, and none of its own', () => {
    const withFiles = (files: string) => parseConfig({ suite: { tiers: [1], files } });
    const filesOf = (received: ReceivedTasks | undefined) =>
      configHere(withReceived(withFiles('theirs'), received), withFiles('mine'), OFFERS).suite.files;
    expect(filesOf(undefined)).toBeUndefined();
    expect(filesOf({ files: 'sent', remove: async () => undefined })).toBe('sent');
    // Pages of MiniWoB++ alone.
    expect(filesOf({ miniwob: 'sent', remove: async () => undefined })).toBeUndefined();
  });

  test('uses the pages of MiniWoB++ that the run sent, and no others', () => {
    const web = (miniwob?: string) =>
      parseConfig({ environments: { kind: 'web', ...(miniwob !== undefined && { web: { miniwob } }) } });
    const pagesOf = (run: Config, own: Config, miniwob?: string) =>
      configHere(run, own, OFFERS, miniwob === undefined ? {} : { miniwob }).environments.web.miniwob;
    expect(pagesOf(web('theirs'), web('mine'), 'sent')).toBe('sent');
    // The run trains none of its pages.
    expect(pagesOf(web('theirs'), web('mine'))).toBeUndefined();
    expect(pagesOf(web('theirs'), web())).toBeUndefined();
    expect(pagesOf(web(), web('mine'))).toBeUndefined();
  });

  test('uses the mirror of the run before its own', () => {
    const run = parseConfig({});
    const guest = { ...run.environments.guest, mirror: 'mine' };
    const own = { ...run, environments: { ...run.environments, guest } };
    const mirrorOf = (sent?: string) =>
      configHere(run, own, OFFERS, sent === undefined ? {} : { mirror: sent }).environments.guest.mirror;
    expect(mirrorOf()).toBe('mine');
    expect(mirrorOf('sent')).toBe('sent');
  });
});

test('a task that the machine does not have is refused before anything starts', async () => {
  const config = parseConfig({});
  await requireTasks(config, [taskId('files-rename')]);
  await expect(requireTasks(config, [taskId('files-rename'), taskId('our-own')])).rejects.toThrow(
    "'our-own'",
  );
});
