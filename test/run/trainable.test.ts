import { expect, test } from 'vitest';
import { parseConfig } from '../../runtime/config/config.ts';
import { requireTrainable } from '../../runtime/run/trainable.ts';

const onGuests = (...addresses: readonly string[]) =>
  parseConfig({
    environments: {
      kind: 'guest',
      guest: { hosts: addresses.map(address => ({ address, browserPort: 9222, vlcPort: 8080 })) },
    },
    suite: { files: 'tasks' },
  });

test('a training needs a guest for evaluations; other commands do without', () => {
  const one = onGuests('http://a:5000');
  expect(one.environments.desktops).toBe(1);
  expect(() => requireTrainable(one)).toThrow(
    /1 guests for 1 desktops of training and 1 of evaluations\. Add to 'environments\.guest\.hosts'/,
  );
  expect(() => requireTrainable(onGuests('http://a:5000', 'http://b:5000'))).not.toThrow();
  expect(() => requireTrainable(parseConfig({}))).not.toThrow();
});
