// Desktops on several engines, some of them unusable, with simulated engines.

import { expect, test } from 'vitest';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import type { HostEntry } from '../../../runtime/environments/docker/address.ts';
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

const entry = (path: string): HostEntry => ({ address: `unix://${path}`, capacity: 2 });
/** Its certificates cannot be read. */
const LOCKED: HostEntry = { address: 'tcp://farm:2376', certificates: '/no/such', capacity: 2 };

const open = (...paths: readonly string[]) => openEntries(paths.map(entry));

function openEntries(hosts: readonly HostEntry[]) {
  const healthReports: string[] = [];
  const desktops = openDocker({
    ...{ hosts, image: 'mine:1', memoryMb: 512, spares: 0, owner: 'a run' },
    ...{ screen: '640x480', agent: 'compact' },
    ...{ settings, clock: systemClock },
    health: (thing, healthy, message) =>
      healthReports.push(`${thing} ${healthy ? 'well' : 'ill'}: ${message}`),
  });
  return { desktops, healthReports };
}

test('one usable engine is enough; the others are reported with a remedy', async () => {
  const [well, bare] = [await engine(['mine:1']), await engine([])];
  const usual = ['/no/such.sock', bare.path, well.path].map(entry);
  const { desktops, healthReports } = openEntries([LOCKED, ...usual]);
  const opened = await desktops;
  await until(() => healthReports.length === 3);
  expect([...healthReports].sort()).toEqual(
    [
      expect.stringMatching(/^\/no\/such\.sock ill: .*no engine answers/),
      expect.stringMatching(/ill: it has no image mine:1/),
      expect.stringMatching(
        /^tcp:\/\/farm:2376 ill: is left out until the next start: The certificates in '\/no\/such' cannot be read/,
      ),
    ].sort(),
  );
  await opened.close();
  expect(healthReports).toHaveLength(3);
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
  await expect(openEntries([LOCKED]).desktops).rejects.toMatchObject({
    failure: {
      boundary: 'provider',
      thing: 'tcp://farm:2376',
      message: expect.stringContaining("The certificates in '/no/such' cannot be read"),
    },
  });
  await expect(openEntries([LOCKED, entry(bare.path)]).desktops).rejects.toThrow(
    /tcp:\/\/farm:2376: The certificates .* \S*docker\.sock: has no image 'mine:1'/,
  );
});

test('an inspection reports the facts of an engine, and rejects without the image', async () => {
  const { path } = await engine(['mine:1'], { CpuCfsQuota: false });
  const bare = await engine([]);
  const look = (path: string, image: string) => inspectEngine(entry(path), image, settings, systemClock);
  expect(await look(path, 'mine:1')).toMatchObject({ where: path, version: '29', limitsProcessors: false });
  await expect(look(bare.path, 'large')).rejects.toThrow("Build it with 'dartboard docker build large'");
});
