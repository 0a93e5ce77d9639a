// The agents that have played: options of a select, and the one with the most trajectories. Pure.

import type { ListedAgent } from '../../runtime/protocol/daemon/agents.ts';
import type { SelectOption } from './controls.ts';
import { formatCount } from './labels.ts';

/** Most trajectories first; equal numbers by name. */
export const byTrajectories = (agents: readonly ListedAgent[]): readonly ListedAgent[] =>
  [...agents].sort((a, b) => b.trajectories - a.trajectories || a.agent.localeCompare(b.agent));

/** `chosen` is an option even if it has no trajectories any more. */
export function agentOptions(agents: readonly ListedAgent[], chosen: string): readonly SelectOption[] {
  const options = byTrajectories(agents).map(({ agent, trajectories }) => ({
    value: agent,
    text: `${agent} (${formatCount(trajectories)})`,
  }));
  const isMissing = chosen !== '' && options.every(({ value }) => value !== chosen);
  return isMissing ? [...options, { value: chosen, text: chosen }] : options;
}
