// Versions that roll over four servers under load, in every way and with every fault: no request is lost, no reply has a wrong version, and
// at most one server is out for an update.

import { describe, expect, test } from 'vitest';
import { at } from '../../../runtime/core/at.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import type { UpdatableServer, UpdateFault } from '../../doubles/openai/updatable-server.ts';
import { type FleetSetup, isExact, play, published, setUpFleet, WAYS, type WayName } from './fleet.ts';

const INTERVAL_MS = 12_000;
const VERSIONS = 4;
/** At a time. */
const EPISODES = 16;
const LEAST_REPLIES = 2000;

interface Storm {
  readonly setup: FleetSetup;
  /** Of the second server, before the second version is published. */
  readonly faults?: readonly UpdateFault[];
  /** What happens to the second server nine seconds after the second version was published. */
  readonly later?: (server: UpdatableServer) => void;
  readonly untilMs?: number;
}

async function rage({ setup, faults = [], later, untilMs = (VERSIONS + 3) * INTERVAL_MS }: Storm) {
  const fleet = setUpFleet(setup);
  const { clock, update, doubles } = fleet;
  const publish = async () => {
    for (let number = 1; number <= VERSIONS; number++) {
      await clock.sleep(INTERVAL_MS);
      if (number === 2) doubles[1]?.faults.push(...faults);
      update.publish(published(number));
      if (number !== 2 || later === undefined) continue;
      await clock.sleep(9000);
      const [, second] = doubles;
      if (second !== undefined) later(second);
    }
  };
  const publishing = publish();
  const played = await play(fleet, { episodes: EPISODES, untilMs });
  await publishing;
  return { ...played, ...fleet };
}

/** What must hold whatever fails. */
function expectNoHarm({ replies, errors, maxOut, doubles }: Awaited<ReturnType<typeof rage>>): void {
  expect(errors).toEqual([]);
  expect(replies.filter(reply => !isExact(reply))).toEqual([]);
  expect(maxOut).toBeLessThanOrEqual(1);
  expect(doubles.map(({ control }) => control.straddled)).toEqual([0, 0, 0, 0]);
  expect(replies.length).toBeGreaterThan(LEAST_REPLIES);
}

const versionsOf = ({ router }: Awaited<ReturnType<typeof rage>>) =>
  router.snapshot().map(({ version, phase }) => `${phase} ${version}`);

describe.each(WAYS)('%s', way => {
  test('without faults', async () => {
    const raged = await rage({ setup: { way } });
    expectNoHarm(raged);
    expect(versionsOf(raged)).toEqual(Array.from({ length: 4 }, () => `serving ${VERSIONS}`));
    expect(raged.reports).toEqual([]);
    // No reply is doubtful, and every version decided.
    expect(raged.replies.filter(({ defects }) => defects.length > 0)).toEqual([]);
    expect(new Set(raged.replies.map(({ version }) => version))).toEqual(new Set([0, 1, 2, 3, 4]));
    const drains = !way.startsWith('adapter');
    expect([raged.phases.has('draining'), raged.phases.has('updating')]).toEqual([drains, drains]);
  });

  test.each([1000, 20_000])('a server that dies between updates, for %i ms', async ms => {
    const raged = await rage({ setup: { way }, later: server => server.die(ms) });
    expectNoHarm(raged);
    expect(versionsOf(raged)).toEqual(Array.from({ length: 4 }, () => `serving ${VERSIONS}`));
  });
});

const times = (count: number, fault: UpdateFault): readonly UpdateFault[] =>
  Array.from({ length: count }, () => fault);

const LOAD = '/load_lora_adapter';

interface FaultCase {
  readonly name: string;
  readonly way: WayName;
  readonly faults: readonly UpdateFault[];
  /** What is reported of the second server, in order; absent where it depends on the requests that fail meanwhile. */
  readonly report?: readonly RegExp[];
}

const failing = (
  name: string,
  way: WayName,
  faults: readonly UpdateFault[],
  report?: readonly RegExp[],
): FaultCase => ({ name, way, faults, ...(report !== undefined && { report }) });

const FAULTS: readonly FaultCase[] = [
  failing('a load that fails once', 'adapter, vLLM', [{ route: LOAD, kind: 'fail' }], []),
  failing('a load that fails', 'adapter, vLLM', times(4, { route: LOAD, kind: 'fail' }), [
    /did not load version 2 .*CUDA out of memory/,
    /has version 3/,
  ]),
  failing('a slow load', 'adapter, vLLM', [{ route: LOAD, kind: 'slow', ms: 30_000 }], []),
  failing('an adapter that is not there after its load', 'adapter, vLLM', [{ route: LOAD, kind: 'lie' }], []),
  failing('the same of SGLang', 'adapter, SGLang', [{ route: LOAD, kind: 'lie' }], []),
  failing('an adapter that stays away', 'adapter, vLLM', times(3, { route: LOAD, kind: 'lie' }), [
    /has lost the model 'run-v2' again/,
    /has version/,
  ]),
  failing('death during a load', 'adapter, vLLM', [{ route: LOAD, kind: 'die', ms: 15_000 }]),
  failing(
    'a pause that fails',
    'pause, vLLM',
    [{ route: '/pause', kind: 'fail' }],
    [/did not load version 2/, /has version 3/],
  ),
  failing(
    'an update that fails',
    'pause, vLLM',
    [{ route: '/update_weights', kind: 'fail' }],
    [/did not load version 2/, /has version 3/],
  ),
  failing('a slow update', 'pause, vLLM', [{ route: '/finish_weight_update', kind: 'slow', ms: 25_000 }], []),
  failing(
    'an update without effect',
    'pause, vLLM',
    [{ route: '/finish_weight_update', kind: 'lie' }],
    [/reports version '1'/, /has version 3/],
  ),
  failing('a resumption that fails once', 'pause, vLLM', [{ route: '/resume', kind: 'fail' }], []),
  failing('a resumption that fails', 'pause, vLLM', times(3, { route: '/resume', kind: 'fail' }), [
    /did not load version 2/,
    /has version 3/,
  ]),
  failing(
    'death during an update',
    'pause, vLLM',
    [{ route: '/update_weights', kind: 'die', ms: 5000 }],
    [/did not load version 2/, /has version 3/],
  ),
  failing(
    'an update that fails',
    'pause, SGLang',
    [{ route: '/update_weights_from_disk', kind: 'fail' }],
    [/did not load version 2/, /has version 3/],
  ),
  failing(
    'an update without effect',
    'pause, SGLang',
    [{ route: '/update_weights_from_disk', kind: 'lie' }],
    [/reports version '1'/, /has version 3/],
  ),
  failing(
    'death during an update',
    'pause, SGLang',
    [{ route: '/update_weights_from_disk', kind: 'die', ms: 5000 }],
    [/did not load version 2/, /has version 3/],
  ),
];

test.each(FAULTS)('$name ($way)', async ({ way, faults, report }) => {
  const raged = await rage({ setup: { way }, faults });
  expectNoHarm(raged);
  expect(versionsOf(raged)).toEqual(Array.from({ length: 4 }, () => `serving ${VERSIONS}`));
  expect(raged.doubles[1]?.faults).toEqual([]);
  if (report === undefined) return;
  expect(raged.reports).toHaveLength(report.length);
  for (const [index, pattern] of report.entries()) {
    expect(raged.reports[index]).toMatch(/^lab\.1 (up|down): /);
    expect(raged.reports[index]).toMatch(pattern);
  }
});

/** Faults and deaths at random times, of two servers of four. */
async function chaos(way: WayName, seed: number) {
  const random = seeded(`chaos ${way} ${seed}`);
  const fleet = setUpFleet({ way, server: { maxAdapters: 3 } });
  const { clock, update, doubles } = fleet;
  const disturb = async () => {
    while (clock.now() < VERSIONS * INTERVAL_MS) {
      await clock.sleep(random.int(6000));
      const server = at(doubles, random.int(2));
      const kind = at(['fail', 'slow', 'lie', 'die', 'now'] as const, random.int(5));
      const ms = 1000 + random.int(8000);
      if (kind === 'now') server.die(ms);
      // Any control request.
      else server.faults.push({ route: '', kind, ms });
    }
    for (const { faults } of doubles) faults.length = 0;
  };
  const publish = async () => {
    for (let number = 1; number <= 2 * VERSIONS; number++) {
      await clock.sleep(random.int(INTERVAL_MS));
      update.publish(published(number));
    }
    // After the last fault.
    await clock.sleep(VERSIONS * INTERVAL_MS);
    update.publish(published(2 * VERSIONS + 1));
  };
  const working = Promise.all([disturb(), publish()]);
  const played = await play(fleet, { untilMs: 16 * INTERVAL_MS });
  await working;
  return { ...played, ...fleet };
}

test.each(WAYS.flatMap(way => [1, 2, 3].map(seed => ({ way, seed }))))(
  'random faults and deaths ($way, $seed)',
  async ({ way, seed }) => {
    const raged = await chaos(way, seed);
    expectNoHarm(raged);
    expect(versionsOf(raged)).toEqual(Array.from({ length: 4 }, () => `serving ${2 * VERSIONS + 1}`));
    expect(raged.reports.length).toBeGreaterThan(0);
  },
);

test('adapters that the server removes are loaded again', async () => {
  const raged = await rage({ setup: { way: 'adapter, vLLM' }, later: ({ control }) => control.evict() });
  expectNoHarm(raged);
  expect(raged.replies.some(({ served }) => served.retries.includes('no-such-model'))).toBe(true);
});

describe('a restart command', () => {
  test('that fails keeps its server out until a later version, behind the sound servers', async () => {
    let calls = 0;
    const raged = await rage({
      setup: {
        way: 'restart',
        restart: async (server, path) => {
          calls += 1;
          if (calls === 2) throw new Error('It ended with exit code 1.');
          server.die(3000, path);
        },
      },
    });
    expectNoHarm(raged);
    expect(raged.reports).toEqual([
      expect.stringMatching(
        /lab\.1 down: .*'restart-the-server' failed: It ended with exit code 1\. Run it by hand/,
      ),
      expect.stringMatching(/lab\.1 up: has version 3/),
    ]);
  });

  test('that starts the server with other weights keeps it out, and the others go on', async () => {
    let calls = 0;
    const raged = await rage({
      setup: {
        way: 'restart',
        restart: async (server, path) => {
          calls += 1;
          server.die(3000, calls === 2 ? '/weights/0' : path);
        },
      },
      untilMs: 120_000,
    });
    expectNoHarm(raged);
    expect(versionsOf(raged)).toEqual(Array.from({ length: 4 }, () => `serving ${VERSIONS}`));
    expect(raged.reports).toEqual([
      expect.stringMatching(
        /lab\.1 down: .*does not report version 1\. It answers, but its version is not 1/,
      ),
      expect.stringMatching(/lab\.1 up: has version 4/),
    ]);
  });
});
