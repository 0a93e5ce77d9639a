// `dartboard compare`: compares runs and evaluations of agents, and writes the report as an HTML file and as CSV files.

import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { RunsComparison } from '../compare/comparison.ts';
import { csvOf } from '../compare/csv.ts';
import { findingsOf } from '../compare/findings.ts';
import { htmlOf } from '../compare/html/report.ts';
import { formatInterval } from '../compare/numbers.ts';
import { recordedComparison } from '../compare/recorded-comparison.ts';
import { writeReportFiles } from '../compare/write-files.ts';
import type { CliContext } from './context.ts';
import { jsonOption } from './options.ts';
import { faint, plain, type StyledLine, strong } from './terminal/line.ts';
import { printLines } from './terminal/output.ts';

interface CompareOptions {
  readonly evaluation?: readonly string[];
  readonly html?: string;
  readonly csv?: string;
  readonly json?: boolean;
}

type CompareContext = Pick<CliContext, 'folder' | 'root' | 'clock' | 'output' | 'environment' | 'printError'>;

export function addCompareCommand(program: Command, context: CliContext): void {
  program
    .command('compare')
    .description(
      'Compare runs: success over steps, time and cost, and per task. Runs that differ by their seeds alone form one arm.',
    )
    .argument('[runs...]', 'names of runs, or paths of their folders; the first arm is the baseline')
    .option('--evaluation <ids...>', "evaluations by 'dartboard eval --agent', as its --json names them")
    .option('--html <file>', 'write the report as one HTML file')
    .option('--csv <folder>', 'write runs.csv, curves.csv and tasks.csv to this folder')
    .addOption(jsonOption())
    .action((runs: readonly string[], options: CompareOptions) => compare(context, runs, options));
}

export async function compare(
  context: CompareContext,
  runs: readonly string[],
  { evaluation = [], html, csv, json = false }: CompareOptions,
): Promise<void> {
  const { folder, root, clock, output } = context;
  const request = { root: resolve(folder, root), runs, evaluations: evaluation, now: clock.now() };
  const comparison = await recordedComparison(request);
  const written: string[] = [];
  if (html !== undefined) {
    const path = resolve(folder, html);
    await writeReportFiles([{ path, text: htmlOf(comparison) }], '--html');
    written.push(html);
  }
  if (csv !== undefined) {
    const files = Object.entries(csvOf(comparison)).map(([name, text]) => ({
      ...{ name, text, path: resolve(folder, csv, name) },
    }));
    await writeReportFiles(files, '--csv');
    written.push(...files.map(({ name }) => join(csv, name)));
  }
  // Standard output is for programs with --json.
  if (json) {
    for (const { run, message } of comparison.missing) context.printError(`${run}: ${message}`);
    output.write(`${JSON.stringify(comparison)}\n`);
  } else printLines(context, summaryLines(comparison, written));
}

/** Exported for tests. */
export const summaryLines = (
  comparison: RunsComparison,
  written: readonly string[],
): readonly StyledLine[] => [
  [],
  ...comparison.arms.map(({ letter, name, members }) => [
    strong(`${letter}  ${name}`),
    faint(`  ${members.join(', ')}`),
  ]),
  ...comparison.runs.flatMap(({ arm, name, success }) =>
    success === undefined ? [] : [[plain(`   ${arm}  ${name}  ${formatInterval(success)}`)]],
  ),
  ...findingsOf(comparison).flatMap(({ title, details }) => [
    [],
    [strong(title)],
    ...details.map(detail => [faint(detail)]),
  ]),
  ...(comparison.missing.length === 0 ? [] : [[], [strong('Missing')]]),
  ...comparison.missing.map(({ run, message }) => [plain(`${run}: ${message}`)]),
  ...(written.length === 0 ? [] : [[], [plain(`Written: ${written.join(', ')}`)]]),
  [],
];
