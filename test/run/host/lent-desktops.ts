// A host with pocket desktops, a runner and a lender, under a clock that jumps; and people who take its desktops over. The channels are
// embedded, behind a port as in a run, or those of a host that has joined from another machine.

import { onTestFinished } from 'vitest';
import type { Action } from '../../../runtime/core/action.ts';
import { type Agent, COMPACT_AGENT } from '../../../runtime/core/agent.ts';
import type { Desktop } from '../../../runtime/core/desktop.ts';
import { type DesktopId, desktopId, groupId, orderId, runId, version } from '../../../runtime/core/ids.ts';
import type { LoanReply, LoanRequest } from '../../../runtime/core/loan.ts';
import type { Order } from '../../../runtime/core/order.ts';
import { seeded } from '../../../runtime/core/rng.ts';
import type { systemClock } from '../../../runtime/core/system-clock.ts';
import type { Trajectory } from '../../../runtime/core/trajectory.ts';
import { VirtualClock } from '../../../runtime/core/virtual-clock.ts';
import { PocketDesktop } from '../../../runtime/environments/pocket/desktop.ts';
import { POCKET } from '../../../runtime/environments/pocket/tasks/suite.ts';
import { DesktopPool } from '../../../runtime/environments/pool.ts';
import { EmbeddedQueue } from '../../../runtime/fabric/embedded/queue.ts';
import { EmbeddedTopic } from '../../../runtime/fabric/embedded/topic.ts';
import { embeddedFabric } from '../../../runtime/fabric/embedded-fabric.ts';
import { remoteFabric } from '../../../runtime/fabric/remote/client.ts';
import { serveFabric } from '../../../runtime/fabric/remote/server.ts';
import { answered } from '../../../runtime/hosts/host-answers.ts';
import { HostRequestRefused } from '../../../runtime/hosts/host-requests.ts';
import { LOANED_PATH, LOANS_PATH } from '../../../runtime/hosts/messages.ts';
import { Refusal } from '../../../runtime/hosts/refusal.ts';
import { borrowDesktop } from '../../../runtime/person/borrowed-desktop.ts';
import { HandOvers } from '../../../runtime/rollout/hand-overs.ts';
import { Runner } from '../../../runtime/rollout/runner.ts';
import { Lending } from '../../../runtime/run/host/desktop-loans.ts';
import { fetching, replying } from '../../../runtime/run/joined/host-desks.ts';
import { carryLoans } from '../../../runtime/run/joined/loan-carrier.ts';
import { LoanDesk } from '../../../runtime/run/joined/loan-desk.ts';
import { MemoryPort } from '../../fabric/ports.ts';
import { at } from './watched-desktops.ts';

export const LOAN_CHANNELS = ['embedded', 'behind a port', 'of a joined host'] as const;
export type LoanChannels = (typeof LOAN_CHANNELS)[number];

/** The fault of a request of a joined host: it does not reach the daemon, or its answer is lost. */
export type LostPost = 'request' | 'answer' | undefined;

export interface LentOptions {
  readonly channels?: LoanChannels;
  /** Of a joined host, counted from 1. */
  readonly loses?: (post: number) => LostPost;
  readonly size?: number;
  /** The actions of the agent, by step. */
  readonly agentAction?: (step: number) => Action;
  /** A clock that jumps by default. */
  readonly clock?: VirtualClock | typeof systemClock;
  /** What the agent waits for before each step; by default so many milliseconds. */
  readonly thinks?: (step: number) => Promise<void>;
  readonly decides?: number;
  /** How long each act of a desktop takes. */
  readonly acts?: number | (() => number);
  readonly starts?: number;
  /** Whether this act of a desktop, counted over all from 1, breaks it. */
  readonly breaks?: (act: number) => boolean;
}

const HOST = 'tower';

/** As over HTTP. */
const refusing = <T>(work: Promise<T> | undefined): Promise<T | undefined> =>
  answered(Promise.resolve(work)).catch(error => {
    throw error instanceof Refusal ? new HostRequestRefused(error.message, error.status) : error;
  });

/** The longest call of a desktop has ended by then. */
const HOUR = 3_600_000;
/** Steps of an episode that nobody interrupts. */
export const EPISODE_STEPS = 6;
const TASKS = POCKET.tasks('train', 1);

export const pocketOrder = (number: number): Order => ({
  ...{ id: orderId(`o${number}`), run: runId('run'), group: groupId('group'), purpose: 'train' },
  instance: { task: at(TASKS, number % TASKS.length), seed: POCKET.seed('train', number) },
  ...{ maxSteps: EPISODE_STEPS, mode: 'a11y_tree' },
});

/** The agent's action at each step: it clicks along the top. */
export const agentClick = (step: number): Action => ({ kind: 'click', at: { x: 40 * step, y: 5 } });

export function lentDesktops({
  channels = 'embedded',
  loses = () => undefined,
  size = 2,
  agentAction = agentClick,
  clock = new VirtualClock(1_800_000_000_000),
  decides = 10,
  thinks = () => clock.sleep(decides),
  acts = 10,
  starts = 0,
  breaks = () => false,
}: LentOptions = {}) {
  const daemon = embeddedFabric();
  onTestFinished(() => daemon.close());
  const hasJoined = channels === 'of a joined host';
  const desk = new LoanDesk({ fabric: daemon, clock });
  const closed = new AbortController();
  void desk.run(closed.signal);
  onTestFinished(() => closed.abort());
  /** As the tests name it, and as its host does. */
  const id = (desktop: string): DesktopId => desktopId(hasJoined ? `${HOST}-${desktop}` : desktop);
  const posts = new Map([
    [LOANS_PATH, fetching(desk)],
    [LOANED_PATH, replying(desk)],
  ]);
  let posted = 0;
  const post = async (path: string, body: Uint8Array, signal: AbortSignal) => {
    const lost = loses(++posted);
    if (lost === 'request') throw new Error('The connection was refused.');
    const answer = await refusing(posts.get(path)?.(HOST, body, signal));
    signal.throwIfAborted();
    if (lost === 'answer') throw new Error('The connection was reset.');
    return answer;
  };
  let acted = 0;
  /** A real clock goes on by itself. */
  const rest = async (milliseconds: number) => {
    if (clock instanceof VirtualClock) await clock.run(clock.now() + milliseconds);
  };

  const agent: Agent = {
    id: COMPACT_AGENT,
    begin: () => {
      let step = 0;
      return {
        next: async () => {
          await thinks(step);
          return {
            observation: { encoding: 'model', bytes: new Uint8Array(0) },
            actions: [{ action: agentAction(step++), meant: [] }],
            trace: { kind: 'heads', decisions: [] },
            version: version(1),
          };
        },
        acted: () => undefined,
        witnessed: async () => undefined,
        close: () => undefined,
      };
    },
  };

  async function make(index: number): Promise<Desktop> {
    await clock.sleep(starts);
    const desktop = new PocketDesktop(id(`d${index}`));
    const { act } = desktop;
    desktop.act = async action => {
      acted += 1;
      const isLast = breaks(acted);
      await clock.sleep(typeof acts === 'number' ? acts : acts());
      if (isLast) throw new Error('its screen went away');
      return act.call(desktop, action);
    };
    return desktop;
  }

  /** A process with desktops. */
  function host() {
    const { client, server, cut } = MemoryPort.pair();
    if (channels === 'behind a port') serveFabric(daemon, server);
    const fabric = {
      ...(channels === 'behind a port' ? remoteFabric(client) : daemon),
      ...(hasJoined && {
        loans: new EmbeddedQueue<LoanRequest>('loans'),
        loaned: new EmbeddedTopic<LoanReply>(),
      }),
    };
    const pool = new DesktopPool({
      ...{ size, make, clock, maxEpisodes: 1000, maxAgeMs: Number.POSITIVE_INFINITY },
      health: () => undefined,
    });
    const handOvers = new HandOvers();
    const taskOf = ({ task, seed }: Order['instance']) => POCKET.task(task, seed);
    const runner = new Runner({
      ...{ lender: pool, agent, taskOf, clock, handOvers, random: seeded('lent') },
      ...{ orders: fabric.orders.taker(), trajectories: fabric.trajectories, events: fabric.events },
      sampling: { temperature: 1, exploration: 0 },
      mostAttempts: 1000,
    });
    const lending = new Lending({
      ...{ fabric, handOvers, taskOf, clock },
      uses: () => pool.currentUses(),
      idOf: index => id(`d${index}`),
    });
    const stop = new AbortController();
    const living = Promise.allSettled([
      runner.run(stop.signal),
      lending.run(stop.signal),
      hasJoined && carryLoans({ fabric, membership: { post }, clock }, stop.signal),
    ]);
    const end = async () => {
      stop.abort();
      await Promise.all([living, pool.close(), rest(HOUR)]);
    };
    onTestFinished(end);
    return { pool, lending, end, cut };
  }

  const put = async (count: number) => {
    for (let number = 0; number < count; number++) await daemon.orders.put(pocketOrder(number));
  };
  const taker = daemon.trajectories.taker();
  /** Since the last call. */
  const finished = async () => {
    const all: Trajectory[] = [];
    for (let next = await taker.tryTake(); next !== undefined; next = await taker.tryTake()) {
      all.push(next.item);
      await next.acknowledge();
    }
    return all;
  };
  let loans = 0;
  const borrow = (desktop: string, who = 'Ada') => {
    loans += 1;
    const fabric = { loans: desk.loans, loaned: daemon.loaned };
    return borrowDesktop({
      ...{ fabric, loan: `${desktop}.${loans}`, desktop: id(desktop), who, clock },
    });
  };
  return { clock, daemon, desk, host, put, finished, borrow, rest, id, acted: () => acted };
}
