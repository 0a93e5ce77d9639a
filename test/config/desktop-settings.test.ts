// The defaults of Docker and web desktops, and settings that do not fit them.

import { describe, expect, test } from 'vitest';
import { resolve } from '../../runtime/config/config.ts';
import { config, file, refused } from './resolve-settings.ts';

const SAME_GUESTS = ['http://lab:5000', 'http://lab:5000/'].map(address => ({
  ...{ address, browserPort: 9222, vlcPort: 8080 },
}));

describe('Docker desktops', () => {
  const docker = (environments = {}, others = {}) => ({
    environments: { kind: 'docker', ...environments },
    ...others,
  });

  test('start from demonstrations, without exploration and with few evaluations', () => {
    const { preset, demonstrations, environments, exploring, evaluation } = config(docker());
    expect({ preset, demonstrations }).toEqual({ preset: 'taught', demonstrations: 5 });
    expect(exploring).toMatchObject({ firstSeconds: 0, searching: 0, otherwise: 0, hindsight: false });
    expect(environments.desktops).toBe(8);
    expect(evaluation).toMatchObject({ desktops: 4, instances: 1 });
    expect(config(docker({}, { demonstrations: 0 })).preset).toBe('scratch');
  });

  test('fit on the default host, for any number of desktops', () => {
    for (const desktops of [1, 100, 10_000]) {
      const { environments, evaluation } = config(docker({ desktops }));
      expect(environments.docker.hosts[0]?.capacity).toBeGreaterThan(desktops + evaluation.desktops);
    }
  });

  test.each([
    [{ environments: { docker: { spares: 3 } } }, "'environments.docker.spares' has no effect while"],
    [docker({}, { exploring: { searching: 0.5 } }), "'exploring.searching' has no effect while"],
    [docker({}, { trainer: { shares: { beside: 9 } } }), "'trainer.shares.beside' has no effect while"],
    [
      { ...docker({}), trainer: { passes: { hindsight: 3 } } },
      "'trainer.passes.hindsight' has no effect while",
    ],
    [docker({ docker: { hosts: [{ address: 'local', capacity: 3 }] } }), 'fewer containers than there are'],
    [docker({ docker: { hosts: [{ address: 'local' }] } }), 'capacity'],
    [
      docker({}, { suite: { files: 'mine' } }),
      'A folder of tasks needs pocket, web, guest or offline desktops',
    ],
  ])('%j is refused, at its place', (value, message) => {
    const why = refused(() => resolve(file(value)));
    expect(why).toContain(message);
    expect(why).toMatch(/^dartboard\.json:\d+:\d+: /);
  });
});

describe('stored trajectories', () => {
  const offline = (environments = {}, others = {}) => ({
    environments: { kind: 'offline', ...environments },
    suite: { files: 'stored' },
    ...others,
  });

  test('start from demonstrations, and are seen as screenshots', () => {
    const { preset, demonstrations, mode, environments, exploring } = config(offline());
    expect({ preset, demonstrations, mode }).toEqual({
      ...{ preset: 'taught', demonstrations: 5, mode: 'screenshot' },
    });
    expect(environments).toMatchObject({ desktops: 8, offline: { patches: 2 } });
    expect(exploring).toMatchObject({ firstSeconds: 0, searching: 0, hindsight: false });
    expect(config(offline({ offline: { patches: 0 } }, { recipe: 'ui-s1' }))).toMatchObject({
      ...{ environments: { offline: { patches: 0 } }, trainer: { advantages: 'matches' } },
    });
  });

  test.each([
    [offline({}, { mode: 'a11y_tree' }), "stored trajectories have no elements. Set 'mode' to 'screenshot'."],
    [offline({}, { fabric: { kind: 'nats' } }), 'other machines do not get the stored trajectories'],
    [offline({}, { exploring: { hindsight: true } }), "'exploring.hindsight' has no effect while"],
    [{ environments: { offline: { patches: 1 } } }, "'environments.offline.patches' has no effect while"],
    [{ recipe: 'ui-s1' }, "The recipe 'ui-s1' compares actions with those of stored trajectories"],
    [{ trainer: { advantages: 'matches' } }, "'trainer.advantages' is 'matches'"],
    [
      offline({}, { recipe: 'ui-s1', trainer: { shaping: { overlong: 0.1 } } }),
      "'trainer.shaping.overlong' has no effect unless",
    ],
  ])('%j is refused, at its place', (value, message) => {
    const why = refused(() => resolve(file(value)));
    expect(why).toContain(message);
    expect(why).toMatch(/^dartboard\.json:\d+:\d+: /);
  });
});

describe('web desktops', () => {
  const web = (environments = {}, others = {}) => ({
    environments: { kind: 'web', ...environments },
    ...others,
  });

  test('start from random weights, without exploration by state and with few desktops', () => {
    const { preset, demonstrations, environments, exploring, evaluation, rollout } = config(web());
    expect({ preset, demonstrations }).toEqual({ preset: 'scratch', demonstrations: 0 });
    expect(rollout).toMatchObject({ exploration: 0.02, daring: 0.8, guided: true });
    expect(exploring).toEqual({
      ...{ firstSeconds: 0, searching: 0, otherwise: 0, novelty: false, hindsight: false, analogy: false },
    });
    expect(environments).toMatchObject({
      desktops: 8,
      web: { browser: 'auto', size: { width: 480, height: 360 }, allow: [] },
    });
    expect(environments.web.miniwob).toBeUndefined();
    expect(evaluation.desktops).toBe(4);
    expect(config(web({}, { demonstrations: 3 })).preset).toBe('taught');
  });

  test('are evaluated more often than Docker desktops, and less often than the pocket desktop', () => {
    for (const minutes of [1, 5, 30, 120, 600]) {
      const [pocket = 0, between = 0, docker = 0] = ['pocket', 'web', 'docker'].map(
        kind => config({ environments: { kind }, minutes }).evaluation.everySeconds,
      );
      expect(between).toBeGreaterThanOrEqual(pocket);
      expect(between).toBeLessThanOrEqual(docker);
    }
  });

  test('imitate little, since it takes processor time from the browser', () => {
    const { successes, demonstrations } = config(web({}, { demonstrations: 10 })).trainer.passes;
    expect([successes, demonstrations]).toEqual([8, 20]);
  });

  test('relabel failures where the setting says so', () => {
    const relabelled = config(
      web({}, { exploring: { hindsight: true }, trainer: { shares: { hindsight: 3 } } }),
    );
    expect(relabelled).toMatchObject({
      exploring: { hindsight: true },
      trainer: { shares: { hindsight: 3 } },
    });
  });

  test('keep the settings of the file', () => {
    const own = {
      browser: '/opt/mine',
      size: { width: 160, height: 210 },
      allow: ['a.org'],
      miniwob: 'pages',
    };
    expect(config(web({ web: own })).environments.web).toEqual({ ...own, contextsPerBrowser: 24 });
  });

  test.each([
    [{ environments: { web: { miniwob: 'pages' } } }, "'environments.web.miniwob' has no effect while"],
    [web({ docker: { spares: 3 } }), "'environments.docker.spares' has no effect while"],
    [web({}, { exploring: { analogy: true } }), "'exploring.analogy' has no effect while"],
    [web({}, { trainer: { shares: { hindsight: 3 } } }), "'trainer.shares.hindsight' has no effect while"],
    [
      { environments: { kind: 'guest' }, exploring: { hindsight: true } },
      "'exploring.hindsight' has no effect while 'environments.kind' is 'guest'",
    ],
    [web({ web: { size: { width: 10, height: 10 } } }), 'environments.web.size.width'],
    [{ environments: { kind: 'guest', guest: { judgeDelaySeconds: 121 } } }, 'from 0 to 120'],
    [{ environments: { kind: 'guest', guest: { hosts: SAME_GUESTS } } }, 'Two hosts have the same address'],
  ])('%j is refused, at its place', (value, message) => {
    const why = refused(() => resolve(file(value)));
    expect(why).toContain(message);
    expect(why).toMatch(/^dartboard\.json:\d+:\d+: /);
  });
});
