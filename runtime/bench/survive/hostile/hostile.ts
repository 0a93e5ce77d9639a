// The section of hostile inputs: attacks all borders, two at a time, and keeps each input at fault with the command that repeats it.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openChild } from '../../../rpc/child.ts';
import type { BenchResult, Report } from '../../report.ts';
import { entry } from '../../training.ts';
import { type AttackFault, type AttackOutcome, attack } from './attack.ts';
import type { HostileCalls, HostileChildInfo } from './calls.ts';

/** The numbers of inputs of the borders are for so many minutes on two cores. */
export const DEFAULT_MINUTES = 10;
const LANES = 2;
/** Files of one kind of fault of one border: the others are alike. */
const MAX_KEPT = 5;

const startChild = () =>
  openChild<HostileCalls, HostileChildInfo>({
    ...{ name: 'hostile child', entry: entry('bench-hostile') },
    // An input that hangs ends by the deadline of its call.
    heartbeatTimeoutMs: Number.POSITIVE_INFINITY,
  });

export async function hostileInputs(report: Report, minutes: number): Promise<BenchResult> {
  const { client, about } = await startChild();
  const waiting = about.borders.map(({ name, inputs }) => ({
    name,
    inputs: Math.max(1, Math.round((inputs * minutes) / DEFAULT_MINUTES)),
  }));
  const outcomes: AttackOutcome[] = [];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { name, inputs } = next;
      const started = performance.now();
      const outcome = await attack({ border: name, inputs, start: async () => (await startChild()).client });
      const seconds = (performance.now() - started) / 1000;
      report.say(`  ${name.padEnd(16)} ${summaryOf(outcome)}, ${seconds.toFixed(0)} s`);
      for (const fault of firstOfEachKind(outcome.faults)) {
        const bytes = await client.call('input', { border: name, number: fault.number });
        report.say(`    ${keep(report.folder, name, fault, bytes)}`);
      }
      outcomes.push(outcome);
    }
  };
  try {
    await Promise.all(Array.from({ length: LANES }, lane));
  } finally {
    await client.close();
  }
  const worst = (of: (outcome: AttackOutcome) => number): number => Math.max(...outcomes.map(of));
  const count = (...kinds: readonly AttackFault['kind'][]): number =>
    outcomes.flatMap(({ faults }) => faults).filter(({ kind }) => kinds.includes(kind)).length;
  return {
    figures: {
      hostile_borders: about.borders.length,
      hostile_inputs: outcomes.reduce((sum, { inputs }) => sum + inputs, 0),
      hostile_rejected: outcomes.reduce((sum, { rejected }) => sum + rejected, 0),
      crashes: count('crash', 'hang'),
      raw_errors: count('raw-error'),
      blocked_ms_worst: worst(({ blockedMsWorst }) => blockedMsWorst),
      growth_mb_worst: worst(({ growthMbWorst, retainedMb }) => Math.max(growthMbWorst, retainedMb)),
    },
    config: { minutes, lanes: LANES },
  };
}

/** `place` is BORDER:NUMBER. Returns what happened, in lines. */
export async function repeatInput(place: string): Promise<string> {
  const [border = '', number = ''] = place.split(':');
  if (!/^\d+$/.test(number))
    throw new RangeError(
      `--input is '${place}'. Give the border and the number of the input, such as png:17.`,
    );
  const { inputs, faults, ...measured } = await attack({
    ...{ border, from: Number(number), inputs: 1 },
    start: async () => (await startChild()).client,
  });
  return [JSON.stringify(measured), ...faults.map(({ kind, detail }) => `${kind}: ${detail}`)].join('\n');
}

const summaryOf = ({
  inputs,
  accepted,
  rejected,
  faults,
  blockedMsWorst,
  growthMbWorst,
  retainedMb,
}: AttackOutcome) =>
  `${inputs} inputs: ${accepted} accepted, ${rejected} rejected, ${faults.length} at fault; blocked ${blockedMsWorst.toFixed(0)} ms, grew ${growthMbWorst.toFixed(0)} MB, kept ${retainedMb.toFixed(0)} MB`;

function firstOfEachKind(faults: readonly AttackFault[]): readonly AttackFault[] {
  const kinds = new Set(faults.map(({ kind }) => kind));
  return [...kinds].flatMap(kind => faults.filter(fault => fault.kind === kind).slice(0, MAX_KEPT));
}

/** Writes the input and what happened. Returns one line. */
function keep(
  folder: string,
  border: string,
  { number, kind, detail }: AttackFault,
  bytes: Uint8Array,
): string {
  const place = join(folder, 'hostile');
  mkdirSync(place, { recursive: true });
  const file = join(place, `${border}-${number}`);
  writeFileSync(`${file}.bin`, bytes);
  const command = `npm run bench -- survive --input ${border}:${number}`;
  writeFileSync(`${file}.txt`, `${kind}: ${detail}\n\n${command}\n`);
  return `${kind} ${border}:${number} ${detail.split('\n')[0]?.slice(0, 200)}`;
}
