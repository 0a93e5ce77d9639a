// The defaults that depend on the image, and how a configuration overrides them.

import { expect, test } from 'vitest';
import { parseConfig } from '../../../runtime/config/config.ts';
import { imageDefaults } from '../../../runtime/environments/docker/image-defaults.ts';

const docker = (settings: object) =>
  parseConfig({ environments: { kind: 'docker', docker: settings } }).environments.docker;

test('the small image and images of users keep the smallest screen', () => {
  expect(docker({})).toMatchObject({ image: 'small', screen: '640x480', memoryMb: 512 });
  expect(docker({ image: 'mine:1' })).toMatchObject({ screen: '640x480', memoryMb: 512 });
});

test('the large image has a larger screen and more memory', () => {
  expect(docker({ image: 'large' })).toMatchObject({ screen: '1280x720', memoryMb: 1024 });
  expect(docker({ image: 'dartboard-large:1f00c0ffee12' })).toMatchObject({ screen: '1280x720' });
  expect(imageDefaults('large').processes).toBeGreaterThan(imageDefaults('small').processes);
});

test('a configuration can choose another screen, among those that exist', () => {
  expect(docker({ screen: '1920x1080' })).toMatchObject({ image: 'small', screen: '1920x1080' });
  expect(() => docker({ screen: '800x600' })).toThrow(/640x480/);
});
