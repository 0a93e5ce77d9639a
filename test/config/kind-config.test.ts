// The configuration for a kind of desktops that a person chooses, whatever dartboard.json chooses.

import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../runtime/config/config.ts';
import { configOfKind } from '../../runtime/config/kind-config.ts';
import { parseSettings, type Settings } from '../../runtime/config/settings.ts';

const fileWith = (value: object, rest: Partial<Settings> = {}): Settings => ({
  ...parseSettings(value, path => `dartboard.json ${path.join('.')}`),
  ...rest,
});

const HOSTS = ['http://lab:5000', 'http://lab:5001'].map(address => ({
  ...{ address, browserPort: 9222, vlcPort: 8080 },
}));
const AGENTS = { toy: { profile: 'generic', url: 'http://127.0.0.1:9', model: 'toy' } };
const GUEST_TASKS = { tasks: { guest: 'osworld' } };

describe('the configuration for a kind of desktops', () => {
  test('is that of the file for its own kind', () => {
    const settings = { minutes: 7, environments: { kind: 'web', desktops: 3 } };
    expect(configOfKind(fileWith(settings), 'web')).toEqual(parseConfig(settings));
    expect(configOfKind(fileWith({ minutes: 7 }), 'pocket')).toEqual(parseConfig({ minutes: 7 }));
  });

  test('has the defaults of another kind, and the agents of the file', () => {
    for (const own of ['pocket', 'web', 'docker'])
      for (const kind of (['pocket', 'docker', 'web'] as const).filter(each => each !== own)) {
        const file = fileWith({ minutes: 7, environments: { kind: own, desktops: 3 }, agents: AGENTS });
        expect(configOfKind(file, kind)).toEqual(parseConfig({ environments: { kind }, agents: AGENTS }));
      }
  });

  test('has what the file writes for this kind', () => {
    const docker = { image: 'large', spares: 0 };
    const config = configOfKind(fileWith({ environments: { docker } }), 'docker');
    expect(config.environments.docker).toMatchObject(docker);
    const own = fileWith({ environments: { kind: 'web', guest: { hosts: HOSTS } } }, GUEST_TASKS);
    expect(configOfKind(own, 'guest').environments.guest.hosts).toEqual(HOSTS);
    expect(configOfKind(own, 'guest').suite.files).toBe('osworld');
  });

  test('has the number of desktops that overrides all others', () => {
    const docker = { image: 'large', spares: 0 };
    for (const kind of ['pocket', 'docker']) {
      const file = fileWith({ environments: { kind, desktops: 3, ...(kind === 'docker' && { docker }) } });
      expect(configOfKind(file, 'docker', 2).environments).toMatchObject({ kind: 'docker', desktops: 2 });
    }
    const others = fileWith({ environments: { docker } });
    expect(configOfKind(others, 'docker', 2).environments).toMatchObject({ desktops: 2, docker });
    // A joined host evaluates nothing, so no other desktops need room.
    const full = fileWith({ environments: { docker: { hosts: [{ address: 'local', capacity: 5 }] } } });
    expect(configOfKind(full, 'docker', 5).environments.desktops).toBe(5);
    expect(() => configOfKind(full, 'docker', 6)).toThrow(/capacity/);
  });

  test('has the given folder of tasks, whatever the file names', () => {
    const guests = fileWith({ environments: { guest: { hosts: HOSTS } }, evaluation: { desktops: 1 } });
    expect(() => configOfKind(guests, 'guest', 1)).toThrow(/no tasks/);
    expect(configOfKind(guests, 'guest', 1, 'sent').suite.files).toBe('sent');
    const own = fileWith({ suite: { tiers: [1], files: 'own' } });
    expect(configOfKind(own, 'pocket', 1, 'sent').suite.files).toBe('sent');
  });

  test('of guests has their number and their tasks if the file chooses no kind', () => {
    const one = { desktops: 1, guest: { hosts: HOSTS } };
    const file = fileWith({ environments: one, minutes: 7, suite: { files: 'mine' } });
    const config = configOfKind(file, 'guest');
    expect(config.suite.files).toBe('mine');
    expect(config.environments).toMatchObject({ kind: 'guest', ...one });
    const many = fileWith({ environments: { ...one, desktops: 3 } }, GUEST_TASKS);
    expect(() => configOfKind(many, 'guest')).toThrow(/environments\.guest\.hosts.*There are 2 guests for 3/);
    // Guests that are there to be chosen are no error of the default kind.
    expect(configOfKind(file, 'pocket')).toEqual(parseConfig({ minutes: 7 }));
    // That number is for desktops of the kind that the file chooses.
    const others = fileWith({ environments: { ...one, kind: 'docker', desktops: 8 } }, GUEST_TASKS);
    expect(configOfKind(others, 'guest').environments.desktops).toBe(1);
  });
});
