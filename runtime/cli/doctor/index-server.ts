// Checks the PostgreSQL server that the section 'index' of dartboard.json names: whether it answers, and whether it can have the index.

import { type Finding, ok, problem, reasonOf, warning } from '../../core/finding.ts';
import type { PostgresReport } from '../../data/index/postgres/report.ts';

const NAME = 'PostgreSQL';
/** A page of the panels asks about ten questions, one after another. */
const MAX_ROUND_TRIP_MS = 50;

/** `report` rejects if the server cannot be used. */
export async function indexServer(report: () => Promise<PostgresReport>): Promise<Finding> {
  let found: PostgresReport;
  try {
    found = await report();
  } catch (error) {
    return problem(
      NAME,
      reasonOf(error),
      "Correct 'index' in dartboard.json, or remove it: the index is then a file of this folder.",
    );
  }
  const { version, roundTripMs, encoding, mayCreate, workspaces, trajectories } = found;
  const time = `${roundTripMs < 10 ? roundTripMs.toFixed(1) : Math.round(roundTripMs)} ms`;
  const says = `answers (version ${version}, ${time}) and indexes ${trajectories} trajectories of ${workspaces} workspaces`;
  if (encoding !== 'UTF8')
    return problem(
      NAME,
      `${says}; its encoding is ${encoding}`,
      "Create a database with ENCODING 'UTF8', and name it in 'index.url'.",
    );
  if (!mayCreate)
    return problem(
      NAME,
      `${says}; the user may not create schemas`,
      'Grant it: GRANT CREATE ON DATABASE … TO …, or make it the owner of the database.',
    );
  if (roundTripMs > MAX_ROUND_TRIP_MS)
    return warning(
      NAME,
      says,
      'The panels become slow. Use a server nearer to this machine, or leave the index in this folder.',
    );
  return ok(NAME, says);
}
