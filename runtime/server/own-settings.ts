// The settings of a run that the workspace decides, and not the client that starts the run or the file of a stored run.

import { learnerOf } from '../config/agent-settings.ts';
import { type Config, parseStoredConfig } from '../config/config.ts';
import { COMPACT_AGENT } from '../core/agent.ts';
import type { DesktopKind } from '../protocol/desktop-kinds.ts';

export interface Workspace {
  /** Its agents, by name. */
  readonly agents?: () => Promise<Config['agents']>;
  /** Its configuration, for this kind of desktops. */
  readonly config?: (kind?: DesktopKind) => Promise<Config>;
}

/** The agents are those of the workspace: a client could name another server for a key. */
export async function withOwnAgents(config: Config, { agents }: Workspace): Promise<Config> {
  if (config.agent === COMPACT_AGENT) return config;
  return { ...config, agents: (await agents?.()) ?? {} };
}

/**
 * The configuration of a stored run that continues for so many minutes in total. A higher limit of the mismatch in the workspace replaces
 * the stored one, so that a run that stopped at its limit can continue. The limit changes no gradient.
 */
export async function resumedConfig(stored: Config, minutes: number, workspace: Workspace): Promise<Config> {
  // Settings may contradict the new time.
  const config = await withOwnAgents(parseStoredConfig({ ...stored, minutes }, { resumes: true }), workspace);
  // The limit has no effect on others.
  if (config.agent === COMPACT_AGENT || learnerOf(config)?.kind === 'file') return config;
  const own = await workspace.config?.(config.environments.kind);
  const maxMismatch = Math.max(config.trainer.maxMismatch, own?.trainer.maxMismatch ?? 0);
  return { ...config, trainer: { ...config.trainer, maxMismatch } };
}
