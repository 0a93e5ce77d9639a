// The versions of a policy that a server offers while their file changes.

import { expect, test } from 'vitest';
import { COMPACT } from '../../runtime/agents/compact/network.ts';
import { version } from '../../runtime/core/ids.ts';
import { type LoadedPolicy, ServedVersions } from '../../runtime/model-server/served-versions.ts';

const policy = (number: number): LoadedPolicy => ({
  ...{ shape: COMPACT, mode: 'a11y_tree', writtenAt: 1000 * number },
  weights: { version: version(number), blob: new Uint8Array([number]) },
});

const ignore = () => undefined;

/** Each request reads the next state of the file. */
function served(reads: readonly (() => LoadedPolicy | undefined)[]) {
  const left = [...reads];
  const notices: string[] = [];
  const versions = new ServedVersions({
    ...{ name: 'dart', first: policy(1), pool: { publish: ignore, pin: ignore, unpin: ignore } },
    reload: async () => left.shift()?.(),
    notice: text => void notices.push(text),
  });
  return { versions, notices };
}

const fails = (message: string) => (): never => {
  throw new Error(message);
};

test('a file that cannot be read is reported once, with a remedy, and the version stays in service', async () => {
  const { versions, notices } = served([fails('No weights.'), fails('No weights.'), fails('Half a file.')]);
  for (let request = 0; request < 3; request++)
    expect(await versions.find('dart')).toMatchObject({ id: 'dart-v1' });
  const remedy = 'The versions that were read stay in service. Restore the file, or start the server again.';
  expect(notices).toEqual([
    `The new weights cannot be read: No weights. ${remedy}`,
    `The new weights cannot be read: Half a file. ${remedy}`,
  ]);
});

test('a file that fails again after it was read is reported again', async () => {
  const { versions, notices } = served([fails('No weights.'), () => policy(2), fails('No weights.')]);
  const ids: string[] = [];
  for (let request = 0; request < 3; request++) ids.push((await versions.find('dart')).id);
  expect(ids).toEqual(['dart-v1', 'dart-v2', 'dart-v2']);
  expect(notices).toHaveLength(2);
});
