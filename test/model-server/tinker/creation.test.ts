// Creations of models that fail, and their numbers.

import { expect, onTestFinished, test } from 'vitest';
import { MemoryFolder } from '../../learner/micro/fixture.ts';
import { tinyServer } from '../micro/tiny-server.ts';
import { TestClient } from './client.ts';

/** Rejects the next read once it is told to. */
class FailingFolder extends MemoryFolder {
  failsNext = false;

  override async read(name: string): Promise<Uint8Array> {
    const fails = this.failsNext;
    this.failsNext = false;
    if (fails) throw new Error('The disk failed.');
    return super.read(name);
  }
}

test('a load into a new model that failed is carried out when it is sent again', async () => {
  const folder = new FailingFolder();
  const server = await tinyServer(folder);
  onTestFinished(() => server.close());
  const client = await TestClient.begin(server);
  const { path } = await client.result('save_weights', {
    ...{ model_id: await client.createModel(), seq_id: 1, path: 'one' },
  });
  const load = () =>
    client.result('load_weights', {
      ...{ session_id: client.session, model_seq_id: 1, path, optimizer: true },
    });
  folder.failsNext = true;
  expect(await load()).toMatchObject({ error: expect.stringContaining('The disk failed.') });
  expect(await load()).toMatchObject({ model_id: `${client.session}:train:1`, path });
});
