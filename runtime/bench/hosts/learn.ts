// The benchmark of hosts with --learn: success after minutes of training on tier 1, by one host in the daemon's machine alone and by two
// hosts over a broker. Both have the same seeds, desktops and workers in total, and share the cores of this machine.

import { join } from 'node:path';
import { type Config, parseConfig } from '../../config/config.ts';
import type { Interval } from '../../data/interval.ts';
import { findNatsServer } from '../../hosts/nats-server.ts';
import type { EvaluationPoint, RunState } from '../../protocol/daemon/state.ts';
import { certain, difference } from '../curation/statistics.ts';
import { acrossSeeds, evaluationOf, INSTANCES, testCurve } from '../learn.ts';
import type { Benchmark, Report } from '../report.ts';
import { entry, successSeries, train, withTrainingFolder } from '../training.ts';
import { BenchBroker } from './broker.ts';
import { JoinedProcess } from './joined-process.ts';

const MINUTES = 5;
const ADDRESS = '127.0.0.1';
/** Of all hosts of a run together. A host has at least one worker. */
const [DESKTOPS, WORKERS] = [32, 2];
const HOSTS = 2;

const WAYS = ['embedded', 'nats'] as const;
type Way = (typeof WAYS)[number];

export interface LearnedRun {
  readonly curve: readonly EvaluationPoint[];
  readonly last: Interval;
  /** Training steps of joined hosts, of all. */
  readonly joinedShare: number;
}

export const learnOverNats: Benchmark = {
  name: 'hosts',
  variant: 'learn',
  summary: 'success on tier 1 after minutes of training, over NATS with two hosts and without',
  run: async (report, { minutes = MINUTES, seeds }) => {
    const { version } = await findNatsServer();
    const learned: Record<Way, LearnedRun[]> = { embedded: [], nats: [] };
    for (let seed = 0; seed < seeds; seed++)
      for (const way of WAYS)
        learned[way].push(
          await report.part(`${way}, seed ${seed}, ${minutes} minutes`, WAYS.length * seeds, () =>
            withTrainingFolder(report, root =>
              way === 'embedded'
                ? trained({ root, report, config: configFor(seed, minutes, 1) })
                : trainedOverNats(root, seed, minutes, report),
            ),
          ),
        );
    return {
      ...learnFigures(learned),
      config: {
        ...{ minutes, desktops: DESKTOPS, workers: WORKERS, hosts: HOSTS },
        instances: instancesFor(minutes),
      },
      versions: { 'nats-server': version },
      series: Object.assign(
        {},
        ...WAYS.flatMap(way =>
          learned[way].map(({ curve }, seed) => successSeries(seeds > 1 ? `${way}, ${seed}` : way, curve)),
        ),
      ),
    };
  },
};

/** A brief training is a trial: it has a brief evaluation. */
const instancesFor = (minutes: number): number =>
  Math.max(1, Math.min(INSTANCES, Math.round((INSTANCES * minutes) / MINUTES)));

/** As the benchmark learn trains tier 1 from random weights. */
const configFor = (seed: number, minutes: number, hosts: number, fabric?: Config['fabric']): Config =>
  parseConfig({
    ...{ suite: { tiers: [1] }, seed: `tier1_elements_5min/${seed}`, minutes },
    environments: { desktops: DESKTOPS / hosts },
    rollout: { workers: WORKERS / hosts },
    // The same number for both.
    data: { ahead: DESKTOPS },
    evaluation: {
      ...evaluationOf(minutes),
      lastInstances: instancesFor(minutes),
      desktops: DESKTOPS / HOSTS,
    },
    ...(fabric !== undefined && { fabric }),
  });

interface TrainedOptions {
  readonly root: string;
  readonly report: Report;
  readonly config: Config;
  readonly began?: (address: () => string) => void;
}

async function trained({ root, report, config, began }: TrainedOptions): Promise<LearnedRun> {
  let joinedShare = 0;
  // The daemon keeps secrets of hosts beside the folder of its runs.
  const state = await train(join(root, 'runs'), config, report, {
    watch: ({ status, hosts }) => {
      if (status === 'running') joinedShare = joinedShareOf(hosts);
    },
    ...(began !== undefined && { began }),
  });
  return { ...testCurve(state, config.seed), joinedShare };
}

async function trainedOverNats(
  root: string,
  seed: number,
  minutes: number,
  report: Report,
): Promise<LearnedRun> {
  const broker = await BenchBroker.start(join(root, 'nats'), ADDRESS);
  let host: JoinedProcess | undefined;
  try {
    const { url, credentials } = broker;
    const fabric = { kind: 'nats', servers: [url], credentials, listen: `${ADDRESS}:0` } as const;
    const learned = await trained({
      ...{ root, report, config: configFor(seed, minutes, HOSTS, fabric) },
      began: address => {
        const options = [
          '--name',
          'second',
          '--desktops',
          `${DESKTOPS / HOSTS}`,
          '--policy',
          `${WORKERS / HOSTS}`,
        ];
        host = new JoinedProcess({ arguments: [entry('main'), 'join', address(), ...options], folder: root });
      },
    });
    if (learned.joinedShare > 0) return learned;
    throw new Error(`The second host has not played. It printed: ${host?.said ?? 'nothing'}`);
  } finally {
    await host?.kill();
    await broker.stop();
  }
}

export function joinedShareOf(hosts: RunState['hosts'] = []): number {
  const steps = (all: typeof hosts) => all.reduce((sum, each) => sum + each.steps, 0);
  const all = steps(hosts);
  return all === 0 ? 0 : steps(hosts.filter(({ isLocal }) => !isLocal)) / all;
}

export function learnFigures(learned: Readonly<Record<Way, readonly LearnedRun[]>>) {
  const overall = (way: Way) => acrossSeeds(learned[way].map(({ last }) => last));
  const [embedded, nats] = [overall('embedded'), overall('nats')];
  // Paired by seed.
  const each = learned.nats.map(
    ({ last }, seed) => last.rate - (learned.embedded[seed]?.last.rate ?? Number.NaN),
  );
  const { mean, ...interval } = difference(each);
  const certainty = ({ rate: _, ...ofRate }: Interval) => ofRate;
  return {
    figures: {
      ...{ tier1_embedded: embedded.rate, tier1_nats: nats.rate, nats_minus_embedded: mean },
      joined_share: Math.min(...learned.nats.map(({ joinedShare }) => joinedShare)),
    },
    certainty: {
      ...{ tier1_embedded: certainty(embedded), tier1_nats: certainty(nats) },
      nats_minus_embedded: certain(interval),
    },
  };
}
