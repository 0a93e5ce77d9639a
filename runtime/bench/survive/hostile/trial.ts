// Gives inputs to a border one after another and measures each: its outcome, for how long it blocked the event loop, and the memory.

import { performance } from 'node:perf_hooks';
import { asError } from '../../../core/errors.ts';
import { seeded } from '../../../core/rng.ts';
import type { Border, OpenBorder } from './border.ts';
import { missingPart } from './three-parts.ts';

/**
 * raw-error: an error that the border does not know, or a rejection without three parts.
 * blocked: the event loop was blocked for longer than MAX_BLOCKED_MS.
 * memory: the process grew by more than MAX_GROWTH_MB.
 */
type InputFaultKind = 'raw-error' | 'blocked' | 'memory';

export interface InputFault {
  readonly number: number;
  readonly kind: InputFaultKind;
  /** The message and the place of an error, or the measured value. */
  readonly detail: string;
}

export interface TrialResult {
  readonly accepted: number;
  readonly rejected: number;
  readonly faults: readonly InputFault[];
  readonly blockedMsWorst: number;
  /** Of the resident memory, by one input. */
  readonly growthMbWorst: number;
}

const MAX_BLOCKED_MS = 200;
const MAX_GROWTH_MB = 100;
/** A slow measurement is repeated: other programs on the machine may have used its processor. */
const REPEATS = 3;
const MB = 2 ** 20;

export const inputOf = ({ name, make }: Border, number: number): Uint8Array =>
  make(seeded(`hostile ${name} ${number}`));

/** The inputs with the numbers `from` to `from + count - 1`. */
export async function trial(
  border: Border,
  open: OpenBorder,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<TrialResult> {
  const faults: InputFault[] = [];
  const result = { accepted: 0, rejected: 0, blockedMsWorst: 0, growthMbWorst: 0 };
  for (let number = from; number < from + count; number += 1) {
    const input = inputOf(border, number);
    const first = await attempt(open, input);
    if (first.isAccepted) result.accepted += 1;
    else result.rejected += 1;
    let { blockedMs, growthMb } = first;
    for (let again = 1; again < REPEATS && isBeyond(blockedMs, growthMb); again += 1) {
      const repeated = await attempt(open, input);
      blockedMs = Math.min(blockedMs, repeated.blockedMs);
      growthMb = Math.min(growthMb, repeated.growthMb);
    }
    result.blockedMsWorst = Math.max(result.blockedMsWorst, blockedMs);
    result.growthMbWorst = Math.max(result.growthMbWorst, growthMb);
    const found: readonly Omit<InputFault, 'number'>[] = [
      ...first.faults.map(detail => ({ kind: 'raw-error' as const, detail })),
      ...(blockedMs > MAX_BLOCKED_MS
        ? [{ kind: 'blocked' as const, detail: `${blockedMs.toFixed(0)} ms` }]
        : []),
      ...(growthMb > MAX_GROWTH_MB ? [{ kind: 'memory' as const, detail: `${growthMb.toFixed(0)} MB` }] : []),
    ];
    faults.push(...found.map(fault => ({ number, ...fault })));
  }
  return { ...result, faults };
}

const isBeyond = (blockedMs: number, growthMb: number): boolean =>
  blockedMs > MAX_BLOCKED_MS || growthMb > MAX_GROWTH_MB;

interface Attempt {
  readonly isAccepted: boolean;
  readonly faults: readonly string[];
  readonly blockedMs: number;
  readonly growthMb: number;
}

async function attempt(open: OpenBorder, input: Uint8Array): Promise<Attempt> {
  const before = process.memoryUsage.rss();
  const loop = performance.eventLoopUtilization();
  const processor = process.cpuUsage();
  const started = performance.now();
  let faults: readonly string[] = [];
  let isAccepted = false;
  try {
    const messages = await open.take(input);
    isAccepted = messages.length === 0;
    faults = messages.flatMap(message => {
      const missing = missingPart(message);
      return missing === undefined ? [] : [`${missing}: ${message.slice(0, 500)}`];
    });
  } catch (error) {
    const { stack = String(error) } = asError(error);
    faults = [stack.split('\n').slice(0, 5).join('\n').slice(0, 1500)];
  }
  // All of the time in which the event loop did not wait: at least as long as the longest piece. Other programs on the machine lengthen it, but
  // not the processor time.
  const { active } = performance.eventLoopUtilization(loop);
  const { user, system } = process.cpuUsage(processor);
  const blockedMs = Math.min(performance.now() - started, active, (user + system) / 1000);
  return { isAccepted, faults, blockedMs, growthMb: (process.memoryUsage.rss() - before) / MB };
}
