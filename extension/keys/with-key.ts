// Gives a program in a terminal the key of its agent.

import type { Clock } from '../../runtime/core/clock.ts';
import type { FolderAgents } from '../agents/folder-agents.ts';
import { type CommandLine, receivingKeys } from '../program.ts';
import { handOver } from './hand-over.ts';
import type { KeyStore } from './key-store.ts';

interface Options {
  readonly agents: FolderAgents;
  readonly keys: KeyStore;
  readonly clock: Clock;
  readonly log: (message: string) => void;
}

/** Unchanged if the agent needs no key of the secret storage, or if that key is not stored: the program then names it. */
export async function withKeyOf(agent: string, program: CommandLine, options: Options): Promise<CommandLine> {
  const { agents, keys, clock, log } = options;
  const { secret } = await agents.find(agent);
  const values = await keys.environment(secret === undefined ? [] : [secret]);
  if (Object.keys(values).length === 0) return program;
  const { address, over } = await handOver(values, { platform: process.platform, clock });
  over.catch((error: unknown) => log(`The address of a key was not removed: ${String(error)}`));
  return receivingKeys(program, address);
}
