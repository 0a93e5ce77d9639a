// Gives a program in a terminal the key of its agent.

import type { Clock } from '../../runtime/core/clock.ts';
import type { FolderAgents } from '../agents/folder-agents.ts';
import { type CommandLine, receivingKeys } from '../program.ts';
import type { AgentKeys } from './agent-keys.ts';
import { handOver } from './hand-over.ts';

interface Options {
  readonly agents: FolderAgents;
  readonly keys: AgentKeys;
  readonly clock: Clock;
  readonly log: (message: string) => void;
}

/** Unchanged if the agent needs no key of the secret storage, or if that key is not stored: the program then names it. */
export async function withKeyOf(agent: string, program: CommandLine, options: Options): Promise<CommandLine> {
  const { agents, keys, clock, log } = options;
  // A program in a terminal uses the servers of the agent, not its learner.
  const { learner: _, ...servers } = await agents.find(agent);
  if (!keys.hasAny([servers])) return program;
  const values = await keys.variablesFor([servers]);
  const { address, over } = await handOver(values, { platform: process.platform, clock });
  over.catch((error: unknown) => log(`The address of a key was not removed: ${String(error)}`));
  return receivingKeys(program, address);
}
