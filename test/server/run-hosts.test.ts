// What clients do with the hosts of a run, without a run.

import { expect, test } from 'vitest';
import { runId } from '../../runtime/core/ids.ts';
import { hostsOf } from '../../runtime/server/run-hosts.ts';

const RUN = runId('a-run');

function opened(address: string | undefined) {
  const drained: string[] = [];
  const hosts = hostsOf(() => ({
    drain: async host => {
      drained.push(host);
    },
    hosts: address === undefined ? undefined : { address, renew: async () => `${address}2` },
  }));
  return { hosts, drained };
}

test.each([
  ['http://127.0.0.1:7422#t', true],
  ['https://[::1]:7422#t', true],
  ['http://localhost:7422#t', true],
  ['http://192.168.1.5:7422#t', false],
  ['https://[fd00::5]:7422#t', false],
  ['https://tower.example:7422#t', false],
])('%s is reachable by this machine alone: %s', async (address, isLocalOnly) => {
  const { hosts } = opened(address);
  expect(hosts.address(RUN)).toEqual({ address, isLocalOnly });
  expect(await hosts.renewAddress(RUN)).toEqual({ address: `${address}2`, isLocalOnly });
});

test('a run on one machine has no address, and the error names the setting', async () => {
  const { hosts } = opened(undefined);
  expect(() => hosts.address(RUN)).toThrow("'fabric'");
  await expect(hosts.renewAddress(RUN)).rejects.toThrow("'fabric'");
});

test('a host is drained by its run', async () => {
  const { hosts, drained } = opened('http://127.0.0.1:1#t');
  await hosts.drain(RUN, 'tower');
  expect(drained).toEqual(['tower']);
});
