// What `dartboard runs` does: lists the runs of the workspace, or deletes one.

import { runId } from './contracts/ids.ts';
import { indented, painted } from './daemon/terminal/line.ts';
import { hasColour, type Output } from './daemon/terminal/output.ts';
import { runsTable } from './daemon/terminal/runs-table.ts';
import { runNamed } from './run-named.ts';
import type { Open } from './sight.ts';

export interface ListRuns {
  readonly open: Open;
  /** Undefined to list them. */
  readonly deleted: string | undefined;
  readonly json: boolean;
  readonly output: Output;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** For what is no part of what is printed. */
  readonly remark: (text: string) => void;
}

const MARGIN = 2;

export async function listRuns({
  open,
  deleted,
  json,
  output,
  environment,
  remark,
}: ListRuns): Promise<void> {
  const runs = await open(remark);
  try {
    const list = (await runs.list()).toSorted((a, b) => b.startedAt - a.startedAt);
    if (deleted !== undefined) {
      const { run } = runNamed(list, deleted);
      await runs.delete(runId(run));
      output.write(`The run '${run}' is deleted.\n`);
    } else if (json) output.write(`${JSON.stringify(list)}\n`);
    else {
      const colour = hasColour(output, environment);
      const lines = runsTable(list, (output.columns ?? 100) - 1 - MARGIN);
      output.write(
        indented([[], ...lines, []], MARGIN)
          .map(line => `${painted(line, colour)}\n`)
          .join(''),
      );
    }
  } finally {
    await runs.close();
  }
}
