// A session of OSWorld's own PythonController and SetupController on a Docker desktop. With DARTBOARD_RECORD=1 it also writes the recording
// again, which replayed.test.ts uses.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { describeUnless } from '../../environments/docker/engine.ts';
import { missingDesktops } from '../../environments/docker/real-desktops.ts';
import { type RealServer, realServer } from '../../guest-server/real/real-server.ts';
import { temporaryFolder } from '../../temporary.ts';
import { missingClient, type RecordedCall, readSession, runClient, writeSession } from './client.ts';

/** Each route once: a client may repeat a request until its condition holds. */
const routes = (calls: readonly RecordedCall[]) =>
  [...new Set(calls.map(({ method, path, reply }) => `${method} ${path} ${JSON.stringify(reply)}`))].sort();

const TEXT = 'first line\nit\'s <b> & "q"\t\\\nAx=1\nžluť 漢';

describeUnless(missingDesktops ?? missingClient, "OSWorld's client on a Docker desktop", () => {
  let server: RealServer;

  beforeAll(async () => {
    server = await realServer();
  });
  afterAll(() => server?.close());

  test('sets up, acts in both action spaces, reads everything, and is refused as it expects', async () => {
    const [address = ''] = server.addresses;
    const { results, calls } = await runClient(address, temporaryFolder('osworld-client'));
    const done = { status: 'success', error: '', returncode: 0 };
    expect(results).toMatchObject({
      ...{ setup: true, printed: 'first line\n', screenshot: [true, 640, 480] },
      field: ['first line\n', 'true', 'true'],
      pyautogui: { ...done, output: '' },
      ...{ saved: TEXT, typed: TEXT },
      ...{ platform: 'Linux', size: { width: 640, height: 480 }, no_window: null, terminal: null },
      window: { width: expect.any(Number), height: expect.any(Number) },
      directory: { type: 'directory', name: 'data', children: [{ type: 'file', name: 'data.csv' }] },
      ...{ desktop_path: null, wallpaper: null, no_directory: null, no_file: null, width: '640\n' },
      bash: { status: 'error', output: 'out\nerr\n', error: '', returncode: 3 },
      slow: { status: 'error', returncode: -1 },
      python: { status: 'error', return_code: 1, error: expect.stringContaining('has no Python') },
      recording: false,
    });
    expect(results['position']).toEqual({
      ...done,
      output: expect.stringMatching(/^Point\(x=\d+, y=\d+\)\n$/),
    });
    expect(results['refused']).toMatchObject({
      returncode: 1,
      error: expect.stringMatching(
        /^Line 1, "open\('\/tmp\/x'\)": open is not known here.* Nothing was performed\./,
      ),
    });
    if (process.env['DARTBOARD_RECORD'] === '1') writeSession(calls);
    expect(routes(calls)).toEqual(routes(readSession().calls));
  });
});
