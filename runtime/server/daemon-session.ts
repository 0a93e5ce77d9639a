// The session of one client of the daemon: executes its requests, and pushes the run states that it subscribed to.

import { runId } from '../core/ids.ts';
import {
  DAEMON_VERSION,
  type DaemonMessage,
  type DaemonRequest,
  type SubscriptionTarget,
} from '../protocol/daemon/messages.ts';
import type { RunState } from '../protocol/daemon/state.ts';
import { LatestQueue } from './latest-queue.ts';
import { parseDesktopId, parseTrajectoryId } from './parse-ids.ts';
import { executeRecordRequest, isRecordRequest } from './record-requests.ts';
import { executeRequest, methodsOf, type RequestContext, requireAllowed, requireRun } from './requests.ts';
import type { SocketClient, SocketReply, SocketSession } from './socket-client.ts';

export class DaemonSession implements SocketSession<DaemonRequest> {
  readonly welcome: object;
  readonly #context: RequestContext;
  readonly #states: LatestQueue<string, RunState>;
  readonly #subscribed = { all: false, runs: new Set<string>() };
  readonly #unwatch: () => void;

  constructor(client: Pick<SocketClient<DaemonRequest>, 'send'>, context: RequestContext) {
    const { life, runs } = context;
    this.#context = context;
    this.welcome = { version: DAEMON_VERSION, methods: methodsOf(context) };
    this.#states = new LatestQueue((state, sent) => {
      const message: DaemonMessage = { method: 'state', params: state };
      // The client may have unsubscribed while the state waited.
      if (this.#isSubscribedTo(state)) client.send(message, sent);
      else sent();
    });
    life.entered();
    this.#unwatch = runs.watch(state => this.#offer(state));
    runs.trajectories.prepare();
  }

  async left(): Promise<void> {
    this.#unwatch();
    this.#context.runs.recordings.ownerLeft(this);
    this.#context.life.left();
  }

  async answer(request: DaemonRequest): Promise<SocketReply> {
    const { runs } = this.#context;
    if (isRecordRequest(request)) {
      requireAllowed(request.method, this.#context);
      return executeRecordRequest(request, runs.recordings, this);
    }
    switch (request.method) {
      case 'hello':
        return { result: this.welcome };
      case 'subscribe': {
        const { what } = request.params;
        if (what !== 'runs') requireRun(runs, what.run);
        return { result: {}, next: () => this.#subscribe(what) };
      }
      case 'unsubscribe': {
        const { what } = request.params;
        if (what === 'runs') this.#subscribed.all = false;
        else this.#subscribed.runs.delete(what.run);
        return { result: {} };
      }
      case 'trajectory.frame': {
        const { trajectory, step } = request.params;
        const { about, png } = await runs.trajectories.frame(parseTrajectoryId(trajectory), step);
        return { result: about, bytes: png };
      }
      case 'desktops.look': {
        const { after, desktop } = request.params;
        return runs.desktops.look({
          after,
          ...(desktop !== undefined && { desktop: parseDesktopId(desktop) }),
        });
      }
      default:
        return { result: await executeRequest(request, this.#context) };
    }
  }

  #isSubscribedTo({ run }: RunState): boolean {
    return this.#subscribed.all || this.#subscribed.runs.has(run);
  }

  #offer(state: RunState): void {
    if (this.#isSubscribedTo(state)) this.#states.offer(state.run, state);
  }

  #subscribe(what: SubscriptionTarget): void {
    if (what === 'runs') {
      this.#subscribed.all = true;
      return;
    }
    this.#subscribed.runs.add(what.run);
    const state = this.#context.runs.state(runId(what.run));
    if (state !== undefined) this.#offer(state);
  }
}
