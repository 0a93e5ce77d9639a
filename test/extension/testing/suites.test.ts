import { expect, test } from 'vitest';
import type { DaemonClient } from '../../../extension/daemon/client.ts';
import { DaemonRequestError } from '../../../extension/daemon/requests.ts';
import { loadSuites } from '../../../extension/testing/suites.ts';
import { evaluatedTasks } from '../../../runtime/collect/evaluated-tasks.ts';
import { parseConfig } from '../../../runtime/config/config.ts';
import type { KindOffer } from '../../../runtime/protocol/daemon/desktops.ts';
import { DAEMON_RESULTS, type DaemonParams } from '../../../runtime/protocol/daemon/messages.ts';

/** Lists the tasks like the daemon. */
function clientWith(...kinds: readonly KindOffer[]): Pick<DaemonClient, 'request'> {
  return {
    request: async (method, params) => {
      const { config } = params as Partial<DaemonParams<'collect.tasks'>>;
      const reply = method === 'desktops.kinds' ? { kinds } : await evaluatedTasks(parseConfig(config));
      return DAEMON_RESULTS[method].parse(reply);
    },
  };
}

const POCKET: KindOffer = { kind: 'pocket', is: 'here' };
const WEB: KindOffer = { kind: 'web', is: 'here' };
const NO_DOCKER: KindOffer = { kind: 'docker', is: 'away', why: 'no engine' };
const GUEST: KindOffer = { kind: 'guest', is: 'here' };
const OFFLINE: KindOffer = { kind: 'offline', is: 'here' };

const kindsOf = async (...of: Parameters<typeof loadSuites>) =>
  (await loadSuites(...of)).suites.map(suite => [
    suite.kind,
    'tasks' in suite ? suite.tasks.length > 0 : suite.problem,
  ]);

test('lists the kinds of desktops that can run here and have tasks, that of dartboard.json first', async () => {
  const client = clientWith(POCKET, NO_DOCKER, WEB, GUEST, OFFLINE);
  expect(await kindsOf(client, {})).toEqual([
    ['pocket', true],
    ['web', true],
  ]);
  expect(await kindsOf(client, { environments: { kind: 'web' } })).toEqual([
    ['web', true],
    ['pocket', true],
  ]);
  // It is listed although it cannot run: its evaluation names the reason.
  expect(await kindsOf(client, { environments: { kind: 'docker' } })).toEqual([
    ['docker', true],
    ['pocket', true],
    ['web', true],
  ]);
});

test('tasks have their tier, and unseen ones are evaluated as such', async () => {
  const { suites } = await loadSuites(clientWith(POCKET), {});
  const tasks = suites.flatMap(suite => ('tasks' in suite ? suite.tasks : []));
  expect(tasks).toContainEqual({ task: 'settings-night-light', tier: 1, split: 'test' });
  expect(tasks.some(({ split }) => split === 'unseen')).toBe(true);
});

test('a configuration that is wrong has its reason in place of the tasks', async () => {
  const suites = await kindsOf(clientWith(POCKET, WEB), { suite: { files: '/nowhere/tasks' } });
  expect(suites).toEqual([
    ['pocket', expect.stringContaining('/nowhere/tasks')],
    ['web', true],
  ]);
});

test('an error of the daemon is a problem of its kind, and a lost connection one of the whole list', async () => {
  const failing = (error: Error): Pick<DaemonClient, 'request'> => ({
    request: async (method, params) => {
      if (method === 'collect.tasks') throw error;
      return clientWith(POCKET, WEB).request(method, params);
    },
  });
  const refused = new DaemonRequestError('The folder is not readable.', { code: 'failed' });
  expect(await kindsOf(failing(refused), {})).toEqual([
    ['pocket', refused.message],
    ['web', refused.message],
  ]);
  const lost = new DaemonRequestError('The connection was lost.');
  await expect(loadSuites(failing(lost), {})).rejects.toBe(lost);
});
