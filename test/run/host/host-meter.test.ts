// The shares of time of desktops and workers since the last report.

import { expect, test } from 'vitest';
import type { Event, ServersReport } from '../../../runtime/core/event.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import type { DesktopTime } from '../../../runtime/environments/pool.ts';
import type { WorkerAccount } from '../../../runtime/rollout/worker-slot.ts';
import { HostMeter } from '../../../runtime/run/host/host-meter.ts';
import { BROKEN, judged, step, trajectory } from '../../data/trajectories.ts';

const UNUSED: DesktopTime = { starting: 0, idle: 0, stepping: 0, waiting: 0, broken: 0 };
const ASLEEP: WorkerAccount = { deciding: 0, loading: 0, idle: 0, dead: 0 };

function meter(servers?: () => ServersReport) {
  const events: Event[] = [];
  const one = new HostMeter({ events: { publish: event => events.push(event) }, clock: new VirtualClock() });
  const tell = (desktops: Partial<DesktopTime>, workers: readonly Partial<WorkerAccount>[]) => {
    events.splice(0);
    const cluster = { timeSpent: () => ({ ...UNUSED, ...desktops }) };
    const account = () => workers.map(each => ({ ...ASLEEP, ...each }));
    const reports = servers !== undefined && { servers };
    one.publish(cluster, { account, metrics: () => ({ prompt_tokens: 7 }), ...reports }, 9);
    return Object.fromEntries(
      events.flatMap(each => (each.kind === 'metric' ? [[each.name, each.value]] : [])),
    );
  };
  return { one, tell, events };
}

test('shares refer to the time since the last report, over all desktops and workers', () => {
  const { tell } = meter();
  tell({ idle: 500, stepping: 500 }, [{ idle: 1000 }]);
  expect(
    tell({ idle: 550, stepping: 520, waiting: 20, broken: 10 }, [
      { idle: 1060, deciding: 10 },
      { loading: 30 },
    ]),
  ).toMatchObject({
    'env/occupancy': 0.4,
    'env/stepping': 0.2,
    'env/broken': 0.1,
    'env/explored_steps': 9,
    'rollout/workers': 2,
    'rollout/utilisation': 0.4,
    'rollout/idle_ratio': 0.6,
  });
});

test('shares are 0 when no time has passed', () => {
  const { tell } = meter();
  tell({ stepping: 5 }, [{ deciding: 5 }]);
  const told = tell({ stepping: 5 }, [{ deciding: 5 }]);
  expect([told['env/occupancy'], told['rollout/utilisation']]).toEqual([0, 0]);
});

test('episodes, steps and the error rate count training rollouts alone', () => {
  const { one, tell } = meter();
  const steps = [step(1, 0.5), step(1, 0.5)];
  one.addTrajectory(trajectory('a', { steps, outcome: judged(1), purpose: 'train' }));
  one.addTrajectory(trajectory('b', { steps: steps.slice(1), outcome: BROKEN, purpose: 'train' }));
  one.addTrajectory(trajectory('c', { steps, outcome: BROKEN, purpose: 'evaluate' }));
  expect(tell({}, [])).toMatchObject({
    'rollout/episodes': 2,
    'rollout/all_steps': 3,
    'env/error_rate': 0.5,
  });
});

test('the servers of a model are one event, and the built-in policy has none', () => {
  const report = { since: 3, servers: [], spent: { promptTokens: 1, completionTokens: 2 } };
  for (const servers of [undefined, () => report]) {
    const { tell, events } = meter(servers);
    tell({}, []);
    const sent = events.filter(({ kind }) => kind === 'servers');
    expect(sent).toEqual(
      servers === undefined ? [] : [{ module: 'rollout', at: 0, kind: 'servers', ...report }],
    );
  }
});
