// The checks that all players share: desktops beside a run that trains, and the number of instances.

import { expect, test } from 'vitest';
import { instancesToPlay, refuseGuest } from '../../runtime/collect/player.ts';
import { parseConfig } from '../../runtime/config/config.ts';
import { POCKET } from '../../runtime/environments/pocket/tasks/suite.ts';

const hosts = ['http://a:5000', 'http://b:5000'].map(address => ({
  ...{ address, browserPort: 9222, vlcPort: 8080 },
}));
const PLAYED = {
  pocket: parseConfig({ environments: { kind: 'pocket' } }),
  web: parseConfig({ environments: { kind: 'web' } }),
  docker: parseConfig({ environments: { kind: 'docker' } }),
  guest: parseConfig({ environments: { kind: 'guest', guest: { hosts } }, suite: { files: 'osworld' } }),
};
const CONFIGS = Object.values(PLAYED);

test('Docker desktops and guests belong to the run that trains; others are opened beside it', () => {
  const isRefused = (config: (typeof CONFIGS)[number], isTraining: boolean): boolean => {
    try {
      refuseGuest(config, isTraining);
      return false;
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError);
      return true;
    }
  };
  expect(CONFIGS.map(config => isRefused(config, true))).toEqual([false, false, true, true]);
  expect(CONFIGS.map(config => isRefused(config, false))).toEqual([false, false, false, false]);
});

test('a task has as many instances as the desktops that play it allow', () => {
  const request = { config: PLAYED.pocket, by: { kind: 'script' } } as const;
  expect(instancesToPlay(request, PLAYED.pocket, POCKET)).toBe(8);
  expect(instancesToPlay(request, PLAYED.guest, POCKET)).toBe(1);
  expect(instancesToPlay({ ...request, instances: 3 }, PLAYED.guest, POCKET)).toBe(3);
  expect(() => instancesToPlay({ ...request, instances: 2000 }, PLAYED.pocket, POCKET)).toThrow(
    /--instances 2000 exceeds the \d+ training instances/,
  );
});
