// Checks the servers that the section 'fabric' of dartboard.json names: whether each server of NATS answers, stores messages and has room, and
// whether the store of blobs takes and returns objects.

import { type Finding, ok, problem, reasonOf, sized, warning } from '../../core/finding.ts';
import { sum } from '../../core/sum.ts';
import type { BrokerReport } from '../../fabric/nats/report.ts';
import { isTooOld, MIN_VERSION } from '../../hosts/nats-server.ts';

const NAME = 'NATS';
const STORE = 'S3';
/** A stream is almost full. */
const MAX_FULLNESS = 0.8;

export interface BrokerLook {
  readonly server: string;
  /** Rejects if the server does not answer. */
  readonly report: () => Promise<BrokerReport>;
}

/** A run works as long as one server answers. */
export async function brokers(looks: readonly BrokerLook[]): Promise<Finding> {
  const ends = await Promise.allSettled(looks.map(({ report }) => report()));
  const says = looks.map(({ server }, index) => described(server, ends[index])).join('; ');
  const reports = ends.flatMap(end => (end.status === 'fulfilled' ? [end.value] : []));
  if (reports.length === 0)
    return problem(NAME, says, "Start a server with 'dartboard up', or correct 'fabric' in dartboard.json.");
  if (reports.some(({ version }) => isTooOld(version)))
    return problem(NAME, says, `Install nats-server ${MIN_VERSION} or newer.`);
  const [full] = reports.flatMap(({ streams }) => streams).filter(({ fullness }) => fullness > MAX_FULLNESS);
  if (full !== undefined)
    return warning(
      NAME,
      `${says}; the stream ${full.name} is ${Math.round(100 * full.fullness)} % full`,
      'Resume the run of this stream, which reads it, or stop its hosts.',
    );
  if (reports.length < ends.length)
    return warning(
      NAME,
      says,
      "Start the other servers, or remove them from 'fabric.servers' in dartboard.json.",
    );
  return ok(NAME, says);
}

/** `attempt` rejects if the store is not as the settings say. */
export async function blobStore(place: string, attempt: () => Promise<void>): Promise<Finding> {
  try {
    await attempt();
    return ok(STORE, `${place} stores, returns, lists and removes objects`);
  } catch (error) {
    return problem(
      STORE,
      reasonOf(error),
      "Correct 'fabric.blobs' in dartboard.json, or remove it: the daemon then stores the blobs itself.",
    );
  }
}

function described(server: string, end: PromiseSettledResult<BrokerReport> | undefined): string {
  if (end?.status === 'fulfilled') return answered(server, end.value);
  return `${server}: ${reasonOf(end?.reason).replace(/\.$/, '')}`;
}

function answered(server: string, { version, roundTripMs, storedBytes, streams }: BrokerReport): string {
  const time = `${roundTripMs < 10 ? roundTripMs.toFixed(1) : Math.round(roundTripMs)} ms`;
  const messages = sum(streams.map(stream => stream.messages));
  const stored = `${sized(storedBytes)}, ${streams.length} streams of Dartboard with ${messages} messages`;
  return `${server} answers (version ${version}, ${time}) and stores ${stored}`;
}
