// What `dartboard docker` refuses before it asks any engine, and how it lists images.

import { expect, test } from 'vitest';
import { dockerCommand, imageTable } from '../../runtime/cli/docker.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';

test.each([
  [[], "'docker build [small|large]' builds an image"],
  [['prune'], "'prune' is none of these"],
  [['build', 'tiny'], "There is no image 'tiny': there are small and large"],
  [['build', 'small', 'large'], "'large' behind 'small'"],
  [['save'], "'docker save' takes a file"],
  [['save', 'small.zip'], "'small.zip' does not say how it is packed"],
  [['save', 'a.tar', 'tiny'], "There is no image 'tiny'"],
  [['load', 'a.tar', 'b.tar'], "there is 'b.tar' behind 'a.tar'"],
  [['ls', 'small'], "'docker ls' takes nothing more"],
  [['ls', '--again'], '--again is for'],
  [['save', 'a.tar', '--cache', 'x'], '--cache is for'],
])('docker %j is refused without an engine', async (args, message) => {
  const openHost = () => Promise.reject(new Error('an engine was asked'));
  const around = { openHost, inputs: '/nowhere', clock: systemClock, say: () => {} };
  await expect(dockerCommand(args, around)).rejects.toThrow(message);
});

test('images are listed with their sizes, and which of them would be built now', () => {
  expect(
    imageTable([
      { tag: 'dartboard-small:1', kind: 'small', size: 235e6, isCurrent: true },
      { tag: 'dartboard-large:22', kind: 'large', size: 1e9, isCurrent: false },
    ]),
  ).toEqual(['dartboard-small:1    235 MB  current', 'dartboard-large:22     1 GB  of other inputs']);
  expect(imageTable([])).toEqual(["There are no images here yet: 'dartboard docker build' builds one."]);
});
