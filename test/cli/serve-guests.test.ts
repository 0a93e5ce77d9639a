// `dartboard serve --guests`: its options, and the engines and images of dartboard.json.

import { expect, test } from 'vitest';
import { runProgram } from '../../runtime/cli/program.ts';
import { dockerSettings } from '../../runtime/cli/serve-guests.ts';
import { NO_SETTINGS, parseSettings } from '../../runtime/config/settings.ts';
import { contextWithoutProcesses } from './command-context.ts';

test.each([
  [['--guests', '2', '--keep-training'], /--keep-training has no effect with --guests/],
  [['--guests', '2', '--port', '6000'], /--port has no effect with --guests\. Use --first-port/],
  [['--guests', '2', '--openenv'], /--openenv has no effect with --guests/],
  [['--guests', '2', '--sessions', '3'], /--sessions has no effect without --openenv/],
  [['--image', 'small'], /--image has no effect without --guests\. Add --guests/],
  [['--first-port', '80'], /--first-port has no effect without --guests/],
  [['--guests', '0'], /Give a whole number from 1 to 1000/],
  [['--guests', '2', '--image', ' '], /Give small, large, or the tag of an image/],
  [['--guests', '3', '--first-port', '65534'], /leaves no ports for 3 desktops\. Give a number up to 65533/],
])('%j is refused', async (args, message) => {
  const { context, errors } = contextWithoutProcesses();
  expect(await runProgram(context, ['serve', ...args])).toBe(1);
  expect(errors.join('\n')).toMatch(message);
});

const fileWith = (value: object) => parseSettings(value, path => `dartboard.json ${path.join('.')}`);

test('without dartboard.json, the engine of this machine has room for all desktops', () => {
  const { docker, desktops } = dockerSettings(NO_SETTINGS, 40, undefined).environments;
  expect(docker.image).toBe('small');
  expect(desktops).toBe(40);
  expect(docker.hosts[0]?.capacity).toBeGreaterThan(40);
});

test('the engines and the image of dartboard.json count, and nothing else of it', () => {
  const hosts = [{ address: 'ssh://me@workshop', capacity: 9 }];
  const file = fileWith({
    environments: { kind: 'docker', desktops: 3, docker: { hosts, image: 'mine:1', memoryMb: 700 } },
    suite: { tiers: [2] },
  });
  expect(dockerSettings(file, 5, undefined).environments.docker).toMatchObject({
    ...{ hosts, image: 'mine:1', memoryMb: 700 },
  });
  expect(dockerSettings(file, 5, 'small').environments.docker).toMatchObject({ hosts, image: 'small' });
  // A file for guests can name Docker desktops as its guests.
  const guests = [{ address: 'http://127.0.0.1:5000', browserPort: 1, vlcPort: 1 }];
  const other = fileWith({
    environments: { kind: 'guest', guest: { hosts: guests } },
    suite: { files: 'tasks' },
  });
  expect(dockerSettings(other, 2, undefined).environments.docker.image).toBe('small');
});

test('engines without room for all desktops are refused', () => {
  const hosts = [{ address: 'local', capacity: 2 }];
  const file = fileWith({ environments: { kind: 'docker', docker: { hosts } } });
  expect(() => dockerSettings(file, 5, undefined)).toThrow(/have room for fewer containers/);
});
