// The result of a check: what was measured, what to do about it, and what the agent may be used for. Pure.

import type { ProfileId } from '../agents/model/profile.ts';
import { type Finding, problem as failed, ok, warning } from '../core/finding.ts';
import type { Mode } from '../core/policy.ts';
import {
  type AgentUse,
  type EndpointCapabilities,
  USES,
  type UseVerdict,
  type UseVerdicts,
} from '../endpoints/capabilities.ts';

/** A finding, and the uses that it excludes. */
export interface EndpointFinding extends Finding {
  readonly refuses: readonly AgentUse[];
}

export interface EndpointReport {
  /** The name of the agent, and its number if it has several servers. */
  readonly name: string;
  readonly url: string;
  readonly model: string;
  readonly profile: ProfileId;
  readonly mode: Mode;
  /** Absent if the server did not answer. */
  readonly capabilities?: EndpointCapabilities;
  readonly findings: readonly EndpointFinding[];
  /** One for each size of screen, or each length of list. */
  readonly clicks: readonly ClickRow[];
  readonly uses: UseVerdicts;
}

export interface ClickRow {
  readonly group: string;
  /** The size of the sent image; absent without images. */
  readonly sent?: string;
  readonly targets: number;
  readonly landed: number;
  /** By the side of the target in pixels. */
  readonly bySide: readonly SideCount[];
  /** The median distance of the clicks from the middle of their targets, in pixels of the screen. */
  readonly distance?: number;
}

export interface SideCount {
  readonly side: number;
  readonly targets: number;
  readonly landed: number;
}

export const fine = (name: string, says: string): EndpointFinding => ({ ...ok(name, says), refuses: [] });

export const caution = (
  name: string,
  says: string,
  remedy: string,
  refuses: readonly AgentUse[] = [],
): EndpointFinding => ({ ...warning(name, says, remedy), refuses });

export const problem = (
  name: string,
  says: string,
  remedy: string,
  refuses: readonly AgentUse[] = USES,
): EndpointFinding => ({ ...failed(name, says, remedy), refuses });

/** A use is allowed if neither the capabilities nor a finding exclude it. */
export function verdictsOf(
  findings: readonly EndpointFinding[],
  capabilities: UseVerdicts | undefined,
): UseVerdicts {
  const verdict = (use: AgentUse): UseVerdict => {
    const found = findings.filter(({ refuses }) => refuses.includes(use));
    const reasons = [
      ...found.map(({ name, says, remedy = '' }) => `${name}: ${says}. ${remedy}`.trim()),
      ...(capabilities?.[use].reasons ?? []),
    ];
    return { allowed: reasons.length === 0, reasons };
  };
  return {
    evaluation: verdict('evaluation'),
    annotation: verdict('annotation'),
    'fine-tuning': verdict('fine-tuning'),
    training: verdict('training'),
  };
}

export const median = (values: readonly number[]): number | undefined => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)];
};
