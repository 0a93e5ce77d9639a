import { expect, test } from 'vitest';
import { openBrowsers } from './browsers.ts';

const missing = { path: '/nonexistent/chromium', kind: 'shell' } as const;
const options = { size: { width: 320, height: 240 }, tabOpened: () => undefined };

test('a desktop is not made before its browser runs', async () => {
  const browsers = openBrowsers(missing);
  await expect(browsers.ready()).rejects.toThrow('/nonexistent/chromium');
  await browsers.close();
});

test('closed browsers start no other one', async () => {
  const browsers = openBrowsers(missing);
  await browsers.close();
  await expect(browsers.openContext(options)).rejects.toThrow('the run has ended');
  await expect(browsers.ready()).rejects.toThrow('the run has ended');
});
