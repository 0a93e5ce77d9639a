// Loads saved weights into a child process that decides with them. `eval` and `run` share it.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Config, resolve } from '../config/config.ts';
import { CONFIG_FILE, readConfig } from '../config/config-file.ts';
import type { Suite } from '../environments/suite.ts';
import { INFERENCE_CLOSE_TIMEOUT_MS, type InferenceCalls } from '../inference/calls.ts';
import { openChild } from '../rpc/child.ts';
import type { OwnedClient } from '../rpc/owned-client.ts';
import { decodePolicy, type SavedPolicy } from '../run/folders/policy-file.ts';
import { findWeights } from '../run/folders/run-folder.ts';
import { configOfWeights } from '../run/folders/weights-origin.ts';
import { openSuite } from '../run/suite.ts';

interface LoadedPolicy {
  readonly file: string;
  readonly policy: SavedPolicy;
  /** Of its desktops. */
  readonly config: Config;
  /** The tasks of the kind of desktops that the policy was trained on. */
  readonly suite: Suite;
  readonly inference: OwnedClient<InferenceCalls>;
}

/**
 * `weights` and its default are those of `findWeights`. `workspace` is the folder of dartboard.json, for weights outside a
 * run. The child process ends after `use`.
 */
export async function withSavedPolicy<T>(
  entry: URL,
  weights: string | undefined,
  use: (loaded: LoadedPolicy) => Promise<T>,
  workspace?: string,
): Promise<T> {
  const file = await findWeights(weights);
  const policy = decodePolicy(await readFile(file), file);
  const config = await configOfWeights(
    file,
    policy.tasks,
    workspace === undefined
      ? undefined
      : async () => resolve(await readConfig(join(workspace, CONFIG_FILE))).config,
  );
  const suite = await openSuite(config);
  const { shape, mode, weights: data, by } = policy;
  const { client: inference } = await openChild<InferenceCalls, null>({
    name: 'inference process',
    entry,
    closeTimeoutMs: INFERENCE_CLOSE_TIMEOUT_MS,
  });
  try {
    const vector = { dtype: 'float32', dims: [data.length], data } as const;
    await inference.call('start', { shape, mode, weights: vector, run: by?.run, config });
    return await use({ file, policy, config, suite, inference });
  } finally {
    await inference.close();
  }
}
