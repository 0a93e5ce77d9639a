// Whether desktops can be opened beside a run that trains.

import { expect, test } from 'vitest';
import { refuseGuest } from '../../runtime/collect/player.ts';
import { parseConfig } from '../../runtime/config/config.ts';

const hosts = ['http://a:5000', 'http://b:5000'].map(address => ({
  ...{ address, browserPort: 9222, vlcPort: 8080 },
}));
const CONFIGS = [
  { environments: { kind: 'pocket' } },
  { environments: { kind: 'web' } },
  { environments: { kind: 'docker' } },
  { environments: { kind: 'guest', guest: { hosts } }, suite: { files: 'osworld' } },
].map(settings => parseConfig(settings));

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
