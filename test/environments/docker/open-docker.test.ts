// Desktops on several engines, some of them unusable, with simulated engines.

import { expect, test } from 'vitest';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { inspectEngine, openDocker } from '../../../runtime/environments/docker/open-docker.ts';
import { answering } from './fake-engine.ts';
import { until } from './test-engine.ts';

const settings = {
  ...{ platform: 'linux', home: '/nowhere', environment: {} },
  ...{ exists: () => false, mayUse: () => false, read: () => undefined },
};

const engine = (images: readonly string[], facts: object = {}) =>
  answering({
    'GET /info': () => ({ ServerVersion: '29', NCPU: 2, MemTotal: 1e9, ...facts }),
    'GET /images/json': () => images.map(tag => ({ Id: tag, RepoTags: [tag], Labels: {}, Size: 1 })),
    'GET /containers/json': () => [],
    'GET /events': (_, response) => void response.writeHead(200).flushHeaders(),
  });

const entry = (path: string) => ({ address: `unix://${path}`, capacity: 2 });

function open(...paths: readonly string[]) {
  const healthReports: string[] = [];
  const desktops = openDocker({
    ...{ hosts: paths.map(entry), image: 'mine:1', memoryMb: 512, spares: 0, owner: 'a run' },
    ...{ screen: '640x480', agent: 'compact' },
    ...{ settings, clock: systemClock },
    health: (thing, healthy, message) =>
      healthReports.push(`${thing} ${healthy ? 'well' : 'ill'}: ${message}`),
  });
  return { desktops, healthReports };
}

test('one usable engine is enough; the others are reported with a remedy', async () => {
  const [well, bare] = [await engine(['mine:1']), await engine([])];
  const { desktops, healthReports } = open('/no/such.sock', bare.path, well.path);
  const opened = await desktops;
  await until(() => healthReports.length === 2);
  expect([...healthReports].sort()).toEqual(
    [
      expect.stringMatching(/^\/no\/such\.sock ill: .*no engine answers/),
      expect.stringMatching(/ill: it has no image mine:1/),
    ].sort(),
  );
  await opened.close();
  expect(healthReports).toHaveLength(2);
});

test('without a usable engine it rejects with the fault of each', async () => {
  const bare = await engine([]);
  await expect(open(bare.path).desktops).rejects.toMatchObject({
    failure: {
      boundary: 'provider',
      thing: bare.path,
      message: expect.stringContaining("no image 'mine:1'"),
    },
  });
  await expect(open('/no/such.sock', bare.path).desktops).rejects.toThrow(
    /no\/such\.sock: .*no engine answers.* \S*docker\.sock: has no image 'mine:1'/,
  );
});

test('an inspection reports the facts of an engine, and rejects without the image', async () => {
  const { path } = await engine(['mine:1'], { CpuCfsQuota: false });
  const bare = await engine([]);
  const look = (path: string, image: string) => inspectEngine(entry(path), image, settings, systemClock);
  expect(await look(path, 'mine:1')).toMatchObject({ where: path, version: '29', limitsProcessors: false });
  await expect(look(bare.path, 'large')).rejects.toThrow("Build it with 'dartboard docker build large'");
});
