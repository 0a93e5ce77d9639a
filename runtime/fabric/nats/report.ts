// Reads the version, the latency and the streams of a broker, for `dartboard doctor`.

import { type JetStreamManager, jetstreamManager, type StreamInfo } from '@nats-io/jetstream';
import { type BrokerAccess, connectTo, roundTrip } from './connection.ts';
import { isOfDartboard } from './names.ts';
import { explainStreams } from './streams.ts';

export interface BrokerReport {
  /** Of the server that answered. */
  readonly version: string;
  readonly roundTripMs: number;
  /** Of all runs and programs. */
  readonly storedBytes: number;
  /** Of Dartboard. */
  readonly streams: readonly StreamReport[];
}

export interface StreamReport {
  readonly name: string;
  readonly messages: number;
  /** The share of its limits, from 0 to 1. A full stream refuses new messages. */
  readonly fullness: number;
}

/** Rejects if no server answers, or if it has no JetStream that answers. */
export async function natsReport(access: BrokerAccess): Promise<BrokerReport> {
  const connection = await connectTo(access, 'dartboard doctor');
  try {
    const jsm = await jetstreamManager(connection, { checkAPI: false });
    return {
      version: connection.info?.version ?? 'unknown',
      roundTripMs: await roundTrip(connection),
      storedBytes: (await jsm.getAccountInfo()).storage,
      streams: await streamReports(jsm),
    };
  } catch (error) {
    throw explainStreams(error, access);
  } finally {
    await connection.close();
  }
}

async function streamReports(jsm: JetStreamManager): Promise<readonly StreamReport[]> {
  const reports: StreamReport[] = [];
  for await (const info of jsm.streams.list())
    if (isOfDartboard(info.config.name)) reports.push(streamReport(info));
  return reports;
}

function streamReport({ config, state }: StreamInfo): StreamReport {
  const share = (used: number, limit: number) => (limit > 0 ? used / limit : 0);
  const { name, max_msgs, max_bytes } = config;
  const { messages, bytes } = state;
  return { name, messages, fullness: Math.max(share(messages, max_msgs), share(bytes, max_bytes)) };
}
