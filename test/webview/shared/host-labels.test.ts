// The texts about the hosts of a run.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HostState } from '../../../runtime/protocol/daemon/hosts.ts';
import {
  canDrain,
  hostCells,
  hostLine,
  hostsSummary,
  joinCommand,
  otherVersion,
  versionLabel,
} from '../../../webview/shared/host-labels.ts';
import { hostsAfter } from '../../server/hosts-state.ts';

const HOSTS = hostsAfter(600);

function hostNamed(name: string): HostState {
  const host = HOSTS.find(each => each.name === name);
  if (host === undefined) throw new RangeError(`The fixture has no host ${name}.`);
  return host;
}

test('the cells of each host have its numbers, and a dash for what is unknown', () => {
  expect(HOSTS.map(host => Object.values(hostCells(host, HOSTS)))).toEqual([
    ['8 of 8', '2', '15.3', '33 %', '–', '–'],
    ['15 of 16', '3', '29.1', '63 %', '0.8 ms', '+12 ms'],
    ['1 of 4', '1', '1.5', '3 %', '24 ms', '−1.5 s'],
    ['–', '–', '–', '', '–', '–'],
  ]);
});

test('the shares of all hosts add up to one, however much each plays', () => {
  const rates = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(rates, all => {
      const hosts = all.map(stepsPerS => ({ ...hostNamed('tower'), stepsPerS }));
      const shares = hosts.map(host => Number.parseFloat(hostCells(host, hosts).share.replace(/[<>] /, '')));
      expect(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 100)).toBeLessThanOrEqual(hosts.length);
    }),
  );
});

test('a run that plays nothing has no shares', () => {
  const idle = HOSTS.map(host => ({ ...host, stepsPerS: 0 }));
  expect(idle.map(host => hostCells(host, idle).share)).toEqual(['', '', '', '']);
});

test('only a joined host that plays can be drained', () => {
  expect(HOSTS.filter(canDrain).map(({ name }) => name)).toEqual(['tower']);
});

test('a version that differs from the daemon names both', () => {
  expect(HOSTS.filter(host => otherVersion(host, HOSTS) !== undefined).map(({ name }) => name)).toEqual([
    'laptop-2',
  ]);
  expect(versionLabel(hostNamed('laptop-2'), HOSTS)).toMatch(/0\.9\.1.*0\.9\.2/);
  expect(versionLabel(hostNamed('tower'), HOSTS)).toBe('Dartboard 0.9.2');
});

test('a line has the same numbers, and a lost host has none', () => {
  expect(hostLine(hostNamed('tower'), HOSTS)).toBe(
    '15 of 16 desktops play, 3 workers, 29.1 steps/s, latency 0.8 ms, clock +12 ms',
  );
  expect(hostLine(hostNamed('local'), HOSTS)).toBe('8 of 8 desktops play, 2 workers, 15.3 steps/s');
  expect(hostLine(hostNamed('basement'), HOSTS)).toBe('');
});

test('the summary leaves out lost hosts', () => {
  expect(hostsSummary(HOSTS)).toBe('3 hosts, 24 of 28 desktops play');
  expect(hostsSummary([hostNamed('local')])).toBe('1 host, 8 of 8 desktops play');
});

test('the command quotes the address', () => {
  expect(joinCommand('http://10.0.0.5:7422#a')).toBe('npx dartboard join "http://10.0.0.5:7422#a"');
});
