// A rolling update, step by step: which requests a server gets, and what happens to its old weights.

import { describe, expect, test } from 'vitest';
import { version } from '../../../runtime/core/ids.ts';
import type { UpdateFault } from '../../doubles/openai/updatable-server.ts';
import { published, request, settled, setUpFleet, type TestFleet } from './fleet.ts';

const ask = ({ clock, router }: TestFleet, session: string) =>
  settled(clock, router.complete(request(session)));

const failures = (route: string, length: number): readonly UpdateFault[] =>
  Array.from({ length }, () => ({ route, kind: 'fail' }));

const publish = async ({ clock, update }: TestFleet, ...versions: readonly number[]) => {
  for (const each of versions) {
    update.publish(published(each));
    await settled(clock, update.settled());
  }
};

test('a version that arrives during an update replaces the one that waits', async () => {
  const fleet = setUpFleet({ way: 'adapter, vLLM', servers: 3 });
  const { clock, update, doubles } = fleet;
  update.publish(published(1));
  await clock.run(500);
  for (const number of [2, 3, 2]) update.publish(published(number));
  await settled(clock, update.settled());
  // The first server was loading version 1. Nobody loads version 2.
  expect(doubles.map(({ control }) => control.adapters)).toEqual([
    ['run-v1', 'run-v3'],
    ['run-v3'],
    ['run-v3'],
  ]);
});

test('a version is reached when no server has an older one, also while newer ones arrive', async () => {
  const fleet = setUpFleet({ way: 'adapter, vLLM', servers: 3, server: { loadMs: 60_000 } });
  const { clock, update, router } = fleet;
  update.publish(published(1));
  const reached = update.reached(version(1));
  await clock.run(30_000);
  update.publish(published(2));
  await settled(clock, reached);
  expect(clock.now()).toBeLessThan(190_000);
  expect(router.snapshot().map(each => each.version)).toEqual([1, 2, 2]);
  await settled(clock, update.settled());
});

test('a version that a server could not load is reached too', async () => {
  const fleet = setUpFleet({ way: 'adapter, vLLM', servers: 2 });
  for (const { faults } of fleet.doubles) faults.push(...failures('/load_lora_adapter', 9));
  const { clock, update, router } = fleet;
  update.publish(published(1));
  await settled(clock, update.reached(version(1)));
  expect(router.snapshot().map(each => each.version)).toEqual([0, 0]);
  await expect(update.reached(version(5))).resolves.toBeUndefined();
});

test('a server that hangs delays the others by its time for one load, and comes after them the next time', async () => {
  const fleet = setUpFleet({ way: 'adapter, vLLM', servers: 2 });
  const { clock, update, router, doubles, reports } = fleet;
  const hang = { route: '/load_lora_adapter', kind: 'slow', ms: 3_600_000 } as const;
  doubles[0]?.faults.push(hang, hang, hang, hang, hang);
  await publish(fleet, 1);
  expect(clock.now()).toBeLessThan(310_000);
  expect(router.snapshot().map(each => each.version)).toEqual([0, 1]);
  expect(reports).toEqual([
    expect.stringMatching(/^lab\.0 down: It did not load version 1 .*within 300 s\. Read the log/),
  ]);
  update.publish(published(2));
  await clock.run(clock.now() + 10_000);
  expect(router.snapshot().map(each => each.version)).toEqual([0, 2]);
});

describe('an adapter', () => {
  test('is asked for by new steps, while a running request finishes on the old one', async () => {
    const fleet = setUpFleet({ way: 'adapter, vLLM', servers: 1, server: { latencyMs: 5000 } });
    await publish(fleet, 1);
    const { clock, router, update } = fleet;
    const running = router.complete(request('a'));
    update.publish(published(2));
    await clock.run(clock.now() + 3000);
    const next = router.complete(request('b'));
    expect(await settled(clock, running)).toMatchObject({ raw: '/weights/1', version: 1, defects: [] });
    expect(await settled(clock, next)).toMatchObject({ raw: '/weights/2', version: 2, defects: [] });
  });

  test('of an old version is unloaded once nobody uses it, and the newest two stay', async () => {
    const fleet = setUpFleet({
      way: 'adapter, vLLM',
      servers: 1,
      server: { latencyMs: 50_000, loadMs: 100 },
    });
    const { clock, router, doubles } = fleet;
    await publish(fleet, 1);
    const running = router.complete(request('a'));
    await publish(fleet, 2, 3);
    expect(doubles[0]?.control.adapters).toEqual(['run-v1', 'run-v2', 'run-v3']);
    expect(await settled(clock, running)).toMatchObject({ raw: '/weights/1', version: 1 });
    await clock.run(clock.now() + 1000);
    expect(doubles[0]?.control.adapters).toEqual(['run-v2', 'run-v3']);
    expect(doubles[0]?.control.straddled).toBe(0);
  });

  test('of SGLang has the name of the model before its own', async () => {
    const fleet = setUpFleet({ way: 'adapter, SGLang', servers: 1 });
    await publish(fleet, 7);
    expect(await ask(fleet, 'a')).toMatchObject({
      ...{ raw: '/weights/7', version: 7, defects: [], served: { model: 'tars:run-v7' } },
    });
    expect(fleet.doubles[0]?.controlled).toEqual(['/load_lora_adapter']);
  });

  test('with the name of one that another run left is loaded from the new path', async () => {
    const fleet = setUpFleet({ way: 'adapter, vLLM', servers: 1 });
    const { clock, doubles } = fleet;
    const left = doubles[0]?.control.handle('/v1/load_lora_adapter', {
      lora_name: 'run-v1',
      lora_path: '/old/1',
    });
    await settled(clock, Promise.resolve(left));
    await publish(fleet, 1);
    expect(await ask(fleet, 'a')).toMatchObject({ raw: '/weights/1', version: 1 });
  });

  test('that a full server removes is loaded again once', async () => {
    const fleet = setUpFleet({ way: 'adapter, vLLM', servers: 1 });
    await publish(fleet, 1);
    const { doubles } = fleet;
    doubles[0]?.control.evict();
    const all = await settled(
      fleet.clock,
      Promise.all(['a', 'b', 'c'].map(session => fleet.router.complete(request(session)))),
    );
    for (const reply of all) expect(reply).toMatchObject({ raw: '/weights/1', version: 1, defects: [] });
    expect(all.map(({ served }) => served.retries)).toEqual(all.map(() => ['no-such-model']));
    expect(doubles[0]?.controlled).toEqual(['/v1/load_lora_adapter', '/v1/load_lora_adapter']);
  });
});

describe('a drained server', () => {
  test('sends its sessions to others meanwhile', async () => {
    const fleet = setUpFleet({ way: 'pause, vLLM', servers: 2 });
    const { clock, router, update } = fleet;
    const [one, two] = [await ask(fleet, 'a'), await ask(fleet, 'b')];
    expect([one.served.endpoint, two.served.endpoint]).toEqual(['lab.0', 'lab.1']);
    const running = router.complete(request('a'));
    update.publish(published(1));
    await clock.run(clock.now() + 100);
    expect(router.snapshot().map(({ phase }) => phase)).toEqual(['draining', 'serving']);
    expect(await settled(clock, running)).toMatchObject({ version: 0, raw: '/weights/0' });
    const moved = router.complete(request('a'));
    await clock.run(clock.now() + 100);
    expect(router.snapshot().map(({ phase }) => phase)).toEqual(['updating', 'serving']);
    expect((await settled(clock, moved)).served.endpoint).toBe('lab.1');
    await settled(clock, update.settled());
    expect(await ask(fleet, 'c')).toMatchObject({ version: 1, raw: '/weights/1' });
  });

  test.each(['pause, vLLM', 'pause, SGLang'] as const)(
    'is paused, loaded and resumed in order (%s)',
    async way => {
      const fleet = setUpFleet({ way, servers: 1 });
      await publish(fleet, 1);
      expect(fleet.doubles[0]?.controlled).toEqual(
        way === 'pause, vLLM'
          ? ['/pause', '/start_weight_update', '/update_weights', '/finish_weight_update', '/resume']
          : ['/pause_generation', '/update_weights_from_disk', '/continue_generation'],
      );
    },
  );

  test('whose last request does not end serves on with its weights', async () => {
    const fleet = setUpFleet({
      way: 'pause, vLLM',
      servers: 1,
      server: { latencyMs: 40_000 },
      drainMs: 10_000,
    });
    const { clock, router, update, reports } = fleet;
    const running = router.complete(request('a'));
    update.publish(published(1));
    await settled(clock, update.settled());
    expect(reports).toEqual([
      'lab.0 down: It did not load version 1 of the weights: Its last request did not finish within 10 s.',
    ]);
    expect(router.snapshot()).toMatchObject([{ phase: 'serving', version: 0 }]);
    expect(await settled(clock, running)).toMatchObject({ version: 0, raw: '/weights/0' });
    await publish(fleet, 2);
    expect(router.snapshot()).toMatchObject([{ phase: 'serving', version: 2 }]);
    expect(reports.at(-1)).toBe('lab.0 up: has version 2 of the weights');
  });

  test('resumes when the agent is closed', async () => {
    const fleet = setUpFleet({ way: 'pause, vLLM', servers: 1, server: { loadMs: 60_000 } });
    const { clock, update, doubles } = fleet;
    update.publish(published(1));
    await clock.run(1000);
    await settled(clock, update.close());
    expect(doubles[0]?.controlled.at(-1)).toBe('/resume');
  });
});

test.each(['pause, vLLM', 'pause, SGLang', 'restart'] as const)(
  'weights that changed without an update are noticed, and replaced (%s)',
  async way => {
    const fleet = setUpFleet({ way, servers: 1 });
    await publish(fleet, 5);
    const { clock, doubles, update, reports } = fleet;
    // Started again by somebody, between two requests.
    doubles[0]?.control.restart();
    expect(await ask(fleet, 'a')).toMatchObject({ raw: '/weights/0', version: 5, defects: ['wrong-model'] });
    expect(reports).toEqual(['lab.0 down: It has other weights than those of version 5.']);
    await settled(clock, update.settled());
    expect(reports.at(-1)).toBe('lab.0 up: has version 5 of the weights');
    expect(await ask(fleet, 'a')).toMatchObject({ raw: '/weights/5', version: 5, defects: [] });
  },
);

test('a server with unknown weights gets no requests before it has loaded the first version', async () => {
  const restarted: string[] = [];
  const fleet = setUpFleet({
    ...{ way: 'restart', servers: 1, isFirstUnknown: true },
    restart: async (server, path) => {
      restarted.push(path);
      server.die(3000, path);
    },
  });
  const { clock, doubles, router } = fleet;
  // Those of an earlier run.
  doubles[0]?.control.restart('/weights/old');
  const early = router.complete(request('a'));
  await clock.run(1000);
  expect(doubles[0]?.chats).toBe(0);
  await publish(fleet, 0);
  expect(await settled(clock, early)).toMatchObject({ raw: '/weights/0', version: 0, defects: [] });
  expect(restarted).toEqual(['/weights/0']);
});

test.each(['adapter, vLLM', 'adapter, SGLang'] as const)(
  'a server of adapters with unknown weights gets no requests before it has loaded the first version (%s)',
  async way => {
    const fleet = setUpFleet({ way, servers: 1, isFirstUnknown: true });
    const { clock, doubles, router } = fleet;
    const early = router.complete(request('a'));
    await clock.run(60_000);
    expect(doubles[0]?.chats).toBe(0);
    await publish(fleet, 5);
    expect(await settled(clock, early)).toMatchObject({ raw: '/weights/5', version: 5, defects: [] });
    expect(doubles[0]?.chats).toBe(1);
  },
);

test.each([
  ['adapter, vLLM', /CUDA out of memory/],
  ['adapter, SGLang', /CUDA out of memory/],
  ['restart', /No such program/],
] as const)(
  'a server with unknown weights is out if it cannot load the first version (%s)',
  async (way, reason) => {
    const fleet = setUpFleet({
      ...{ way, servers: 1, isFirstUnknown: true, outageTimeoutMs: 60_000 },
      restart: () => Promise.reject(new Error('No such program.')),
    });
    fleet.doubles[0]?.faults.push(...failures('/load_lora_adapter', 100));
    await publish(fleet, 0);
    expect(fleet.router.snapshot()).toMatchObject([{ phase: 'out' }]);
    expect(fleet.reports.join()).toMatch(/did not load version 0 of the weights/);
    expect(fleet.reports.join()).toMatch(reason);
    await expect(ask(fleet, 'a')).rejects.toThrow(/No server of agent 'lab' has worked for 60 s\. lab\.0: /);
  },
);

test('a server that keeps losing its weights waits for the next version', async () => {
  const fleet = setUpFleet({ way: 'pause, SGLang', servers: 2 });
  await publish(fleet, 1);
  const { clock, doubles, router, update } = fleet;
  for (let loss = 0; loss < 3; loss++) {
    doubles[0]?.control.restart();
    while (router.snapshot()[0]?.phase === 'serving') await ask(fleet, `loss ${loss} ${clock.now()}`);
    await settled(clock, update.settled());
  }
  expect(router.snapshot().map(({ phase }) => phase)).toEqual(['out', 'serving']);
  await publish(fleet, 2);
  expect(router.snapshot()).toMatchObject([
    { phase: 'serving', version: 2 },
    { phase: 'serving', version: 2 },
  ]);
});

test('the only server is tried again with a version that it failed to load, since no newer one can come', async () => {
  const fleet = setUpFleet({ way: 'pause, vLLM', servers: 1 });
  fleet.doubles[0]?.faults.push(...failures('/update_weights', 3));
  await publish(fleet, 1);
  expect(fleet.router.snapshot()).toMatchObject([{ phase: 'out' }]);
  expect(await ask(fleet, 'a')).toMatchObject({ raw: '/weights/1', version: 1, defects: [] });
  expect(fleet.reports.map(report => report.slice(0, 12))).toEqual([
    ...['lab.0 down: ', 'lab.0 down: ', 'lab.0 down: ', 'lab.0 up: ha'],
  ]);
});

test('the only server that keeps losing its weights is tried again after a pause', async () => {
  const fleet = setUpFleet({ way: 'pause, SGLang', servers: 1 });
  await publish(fleet, 1);
  const { clock, doubles, router } = fleet;
  for (let loss = 0; loss < 4; loss++) {
    doubles[0]?.control.restart();
    while (router.snapshot()[0]?.phase === 'serving') await ask(fleet, `loss ${loss} ${clock.now()}`);
    expect(await ask(fleet, `after loss ${loss}`)).toMatchObject({ raw: '/weights/1', defects: [] });
  }
});

test('requests end with the reasons when every server is out', async () => {
  const fleet = setUpFleet({ way: 'pause, vLLM', servers: 2, outageTimeoutMs: 60_000 });
  for (const { faults } of fleet.doubles) faults.push(...failures('/update_weights', 20));
  await publish(fleet, 1);
  const from = fleet.clock.now();
  await expect(ask(fleet, 'a')).rejects.toThrow(
    /No server of agent 'lab' has worked for 60 s\. lab\.0: It did not load version 1.*lab\.1: It did not load version 1/,
  );
  expect(fleet.clock.now() - from).toBeLessThanOrEqual(61_000);
});
