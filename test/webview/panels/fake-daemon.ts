// A daemon for tests: it answers requests of the panels from a library over a real socket, and checks its replies against the
// protocol. It stores remarks, and can reject requests or leave them without a reply.

import type { WebSocket } from 'ws';
import { trajectoryId } from '../../../runtime/core/ids.ts';
import { systemClock } from '../../../runtime/core/system-clock.ts';
import { agreements, modelAgreements } from '../../../runtime/data/agreement.ts';
import { compareAgents } from '../../../runtime/data/compare-agents.ts';
import { CLOSE_CODE_REJECTED } from '../../../runtime/protocol/close-code.ts';
import type { AgentComparisonResult } from '../../../runtime/protocol/daemon/agents.ts';
import type { ModelSuggestion, PresortState } from '../../../runtime/protocol/daemon/annotation.ts';
import type { FleetResult } from '../../../runtime/protocol/daemon/fleet.ts';
import { encodeReplyFrame } from '../../../runtime/protocol/daemon/frame.ts';
import {
  DAEMON_PATH,
  DAEMON_RESULTS,
  DAEMON_VERSION,
  type DaemonMethod,
  type DaemonParams,
  type DaemonRequest,
  type DaemonResults,
  request as requestSchema,
} from '../../../runtime/protocol/daemon/messages.ts';
import type { AnnotationMarks, AnnotationRemark } from '../../../runtime/protocol/daemon/remarks.ts';
import type { RunState, RunSummary } from '../../../runtime/protocol/daemon/state.ts';
import type { TrajectoryRow, UncertainStep } from '../../../runtime/protocol/daemon/trajectories.ts';
import { addressWith, type HttpListener, listen } from '../../../runtime/server/http/listen.ts';
import { readPages } from '../../../runtime/server/http/static-files.ts';
import { playedState } from '../../server/played-state.ts';
import { RUN, type TrajectoryLibrary } from './library.ts';

const PAGES = new URL('../../../dist/webview/', import.meta.url);
const TOKEN = 'a-token';

export class FakeDaemon {
  library: TrajectoryLibrary;
  /** All requests but hello. */
  readonly requests: DaemonRequest[] = [];
  /** Methods to reject, with the message. */
  readonly rejections = new Map<DaemonMethod, string>();
  /** Agents that only played evaluations, which have no uncertain steps. */
  readonly evaluated = new Set<string>();
  /** Methods without a reply. */
  readonly unanswered = new Set<DaemonMethod>();
  /** The method whose replies wait for `release`. */
  held: DaemonMethod | undefined;
  readonly #heldReplies: (() => void)[] = [];
  /** False after the run of the state was deleted. */
  hasRun = true;
  state: RunState = playedState(600);
  fleet: FleetResult = {};
  /** Model agents that can pre-sort the queue, and what they suggested. */
  readonly presorters: string[] = [];
  readonly suggestions = new Map<string, ModelSuggestion>();
  /** The latest pre-sort. */
  presort: PresortState | undefined;
  readonly #marks = new Map<string, AnnotationMarks>();
  readonly #sockets = new Set<WebSocket>();
  #listening: HttpListener | undefined;

  constructor(library: TrajectoryLibrary) {
    this.library = library;
  }

  async open(port = 0): Promise<void> {
    this.#listening = await listen({
      pages: await readPages(PAGES, 'panels'),
      port,
      socketPath: DAEMON_PATH,
      maxMessageBytes: 1024 * 1024,
      clock: systemClock,
      connect: (socket, takeSlot) => {
        takeSlot();
        return this.#connect(socket);
      },
    });
  }

  get port(): number {
    return this.#listening?.port ?? 0;
  }

  get address(): string {
    return addressWith(TOKEN, this.port);
  }

  async close(): Promise<void> {
    await this.#listening?.close();
  }

  /** Ends without a goodbye, as a daemon that is killed. */
  async crash(): Promise<void> {
    for (const socket of this.#sockets) socket.terminate();
    await this.close();
  }

  /** Sends a new state to all pages. */
  show(state: RunState): void {
    this.state = state;
    for (const socket of this.#sockets) socket.send(JSON.stringify({ method: 'state', params: state }));
  }

  /** Sends the held replies. */
  release(): void {
    this.held = undefined;
    for (const reply of this.#heldReplies.splice(0)) reply();
  }

  marksOf(trajectory: string): AnnotationMarks {
    return this.#marks.get(trajectory) ?? { keySteps: [] };
  }

  /** All requests of a method, latest last. */
  requestsOf<M extends DaemonMethod>(method: M): readonly Extract<DaemonRequest, { method: M }>[] {
    return this.requests.filter(each => isOf(each, method));
  }

  #connect(socket: WebSocket): Promise<void> {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    socket.on('message', data => {
      const asked = requestSchema.parse(JSON.parse(data.toString()));
      if (asked.method === 'hello' && asked.params.token !== TOKEN) {
        const message = 'The token is wrong. Open the address that the daemon printed.';
        socket.send(JSON.stringify({ id: asked.id, error: { code: 'unauthorized', message } }));
        socket.close(CLOSE_CODE_REJECTED, 'unauthorized');
        return;
      }
      if (asked.method !== 'hello') this.requests.push(asked);
      if (this.unanswered.has(asked.method)) return;
      if (asked.method === this.held) this.#heldReplies.push(() => this.#reply(socket, asked));
      else this.#reply(socket, asked);
    });
    return new Promise(resolve => socket.once('close', () => resolve()));
  }

  #reply(socket: WebSocket, asked: DaemonRequest): void {
    const say = (message: unknown) => socket.send(JSON.stringify(message));
    try {
      const refusal = this.rejections.get(asked.method);
      if (refusal !== undefined) throw new Error(refusal);
      const bytes = asked.method === 'trajectory.frame' ? this.#picture(asked.params) : undefined;
      if (bytes !== undefined) socket.send(encodeReplyFrame({ id: asked.id, payload: bytes }));
      say({ id: asked.id, result: DAEMON_RESULTS[asked.method].parse(this.#answer(asked)) });
      if (asked.method === 'subscribe' && asked.params.what !== 'runs')
        say({ method: 'state', params: this.state });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      say({ id: asked.id, error: { code: 'failed', message } });
    }
  }

  #picture({ trajectory, step }: DaemonParams<'trajectory.frame'>): Uint8Array {
    return this.library.picture(trajectory, step);
  }

  #answer(asked: DaemonRequest): DaemonResults[DaemonMethod] {
    const { library } = this;
    switch (asked.method) {
      case 'hello':
        return { version: DAEMON_VERSION, methods: Object.keys(DAEMON_RESULTS) };
      case 'runs.list':
        return this.hasRun ? [this.#summary()] : [];
      case 'run.state':
        return this.state;
      case 'daemon.life':
      case 'daemon.keepTraining':
        return { doing: 'serving', clients: 1, trainings: [RUN], keepTraining: false, says: 'It serves.' };
      case 'trajectories.list':
        return this.#list(asked.params);
      case 'trajectory.get':
        return { ...library.detail(asked.params.trajectory), marked: this.marksOf(asked.params.trajectory) };
      case 'trajectory.frame':
        return { width: 320, height: 240, count: library.detail(asked.params.trajectory).frames.count };
      case 'trajectory.elements':
        return { elements: [...library.elements(asked.params.trajectory, asked.params.step)] };
      case 'steps.uncertain':
        return { steps: this.#uncertain(asked.params) };
      case 'fleet.runs':
        return this.fleet;
      case 'agents.list':
        return { agents: this.#agents() };
      case 'agents.compare':
        return this.#compare(asked.params);
      case 'annotation.queue': {
        const { secondOf, order } = asked.params;
        const rows = this.#rows().filter(({ outcome, marked: { votes = [] } }) =>
          secondOf === undefined
            ? outcome === 'success' && votes.length === 0
            : votes.length > 0 && !votes.some(({ who }) => who === secondOf),
        );
        const reasons = order === 'teaching' ? (['contested'] as const) : [];
        const waiting = rows.slice(0, 12).map((row, members) => ({
          ...{ row, members, rate: 0.5, reasons: [...reasons] },
          suggestion: this.suggestions.get(row.trajectory),
        }));
        if (order === 'suggested')
          waiting.sort((a, b) => Number(b.suggestion !== undefined) - Number(a.suggestion !== undefined));
        return { total: waiting.length, waiting };
      }
      case 'annotation.agreement': {
        const rows = this.#rows();
        const votes = rows.map(({ marked }) => marked.votes ?? []);
        const suggested = rows.map(({ trajectory, marked }) => {
          const suggestion = this.suggestions.get(trajectory);
          return {
            votes: marked.votes ?? [],
            suggestions: suggestion ? [{ ...suggestion, trajectory: trajectoryId(trajectory) }] : [],
          };
        });
        return {
          pairs: agreements(votes).map(({ who, ...pair }) => ({ who: [...who], ...pair })),
          models: [...modelAgreements(suggested)],
        };
      }
      case 'presort.now':
        return { agents: [...this.presorters], ...(this.presort && { presort: this.presort }) };
      case 'presort.start':
        return this.#presorted({
          ...{ presort: 'p', change: 1, status: 'asking', agent: asked.params.agent },
          ...{ total: asked.params.count, suggested: 0, doubted: 0, unreadable: 0, failed: 0, tokens: 0 },
        });
      case 'presort.follow': {
        const { total, agent } = this.#presorted({});
        const wanted = this.#rows().filter(({ outcome }) => outcome === 'success');
        for (const { trajectory } of wanted.slice(3, 3 + total))
          this.suggestions.set(trajectory, {
            ...{ agent, model: `${agent}-7b`, at: 1, isSuccess: false, confidence: 0.8 },
            reason: 'The window was never closed.',
          });
        return this.#presorted({ change: 2, status: 'ended', suggested: total, doubted: total, tokens: 99 });
      }
      case 'presort.cancel':
        return this.#presorted({ change: 3, status: 'stopped' });
      case 'annotate': {
        const { trajectory, remark, who } = asked.params;
        const before = this.marksOf(trajectory);
        const marked = remarked(before, remark, who);
        this.#marks.set(trajectory, marked);
        return { marked, undo: undoOf(before, remark, who) };
      }
      default:
        return {};
    }
  }

  #presorted(change: Partial<PresortState>): PresortState {
    this.presort = { ...this.presort, ...change } as PresortState;
    return this.presort;
  }

  #rows(): readonly TrajectoryRow[] {
    return this.library.ids.map(id => ({ ...this.library.row(id), marked: this.marksOf(id) }));
  }

  #list({ filter, sort, descending, offset, limit }: DaemonParams<'trajectories.list'>) {
    const { run, outcomes, tiers, tasks, agents, isInPool, text = '' } = filter;
    const rows = this.#rows().filter(
      row =>
        (run === undefined || row.run === run) &&
        (agents?.includes(row.agent ?? 'compact') ?? true) &&
        (tasks?.includes(row.task) ?? true) &&
        (outcomes?.includes(row.outcome) ?? true) &&
        (tiers?.includes(row.tier ?? 0) ?? true) &&
        (isInPool === undefined || (row.marked.isInPool ?? false) === isInPool) &&
        `${row.instruction} ${row.task}`.toLowerCase().includes(text.toLowerCase()),
    );
    const ordered = [...rows].sort((a, b) => (a[sort] ?? -1) - (b[sort] ?? -1));
    if (descending) ordered.reverse();
    return { total: rows.length, rows: ordered.slice(offset, offset + limit), upTo: rows.length };
  }

  #uncertain({ filter, by, limit }: DaemonParams<'steps.uncertain'>): UncertainStep[] {
    const rows = this.#rows().filter(
      ({ outcome, agent = 'compact' }) =>
        (filter.outcomes?.includes(outcome) ?? true) &&
        (filter.agents?.includes(agent) ?? true) &&
        !this.evaluated.has(agent),
    );
    const steps = rows.slice(-80).flatMap(row => {
      const { trajectory, task, tier, seed, instruction, outcome, agent } = row;
      return this.library.detail(trajectory).each.map(({ action, chosen }, step) => ({
        trajectory,
        step,
        run: RUN,
        task,
        ...(tier !== undefined && { tier }),
        seed,
        instruction,
        outcome,
        kind: action.kind,
        uncertainty: chosen?.uncertainty ?? 0,
        probability: chosen?.probability ?? 0,
        version: chosen?.version ?? 0,
        ...(agent !== undefined && { agent, estimator: chosen?.reply?.estimator ?? 'none' }),
      }));
    });
    steps.sort((a, b) => b.uncertainty - a.uncertainty);
    if (by === undefined) return steps.slice(0, limit);
    const taken = new Map<string, number>();
    return steps.filter(step => {
      const count = taken.get(step[by]) ?? 0;
      taken.set(step[by], count + 1);
      return count < limit;
    });
  }

  #agents() {
    const counts = new Map<string, number>();
    for (const { agent = 'compact' } of this.#rows()) counts.set(agent, (counts.get(agent) ?? 0) + 1);
    return [...counts].map(([agent, trajectories]) => ({ agent, trajectories }));
  }

  #compare({ agents: [first, second], purpose }: DaemonParams<'agents.compare'>): AgentComparisonResult {
    const episodes = this.#rows()
      .filter(row => row.outcome !== 'broken' && (purpose === undefined || row.purpose === purpose))
      .map(({ agent = 'compact', task, seed, outcome, steps, usage }) => ({
        ...{ agent, task, seed, steps, success: outcome === 'success' },
        ...(usage !== undefined && { usage: { ...usage, cost: usage.cost ?? 0 } }),
      }));
    const { agents, tasks, ...rest } = compareAgents(episodes, [first, second]);
    const [one, two] = agents.map(({ rate: _, ...score }) => score);
    if (one === undefined || two === undefined) throw new Error('A comparison has two agents.');
    return {
      ...rest,
      agents: [one, two],
      tasks: tasks.map(({ tallies, ...same }) => ({
        ...same,
        tallies: [{ ...tallies[0] }, { ...tallies[1] }],
      })),
    };
  }

  #summary(): RunSummary {
    const { run, status, startedAt, seconds, of, about } = this.state;
    return { run, status, startedAt, seconds, of, about, bytes: 48_000_000, canResume: false };
  }
}

function isOf<M extends DaemonMethod>(
  asked: DaemonRequest,
  method: M,
): asked is Extract<DaemonRequest, { method: M }> {
  return asked.method === method;
}

/** The marks after a remark. */
function remarked(before: AnnotationMarks, remark: AnnotationRemark, who: string): AnnotationMarks {
  switch (remark.kind) {
    case 'pool': {
      const others = (before.votes ?? []).filter(vote => vote.who !== who);
      const votes = remark.isMember === null ? others : [...others, { who, isMember: remark.isMember }];
      return {
        ...without(without(before, 'isInPool'), 'votes'),
        ...(votes.length > 0 && { votes, isInPool: votes.every(({ isMember }) => isMember) }),
      };
    }
    case 'verdict':
      return { ...without(before, 'verdict'), ...(remark.success !== null && { verdict: remark.success }) };
    case 'trim':
      return { ...without(before, 'trim'), ...(remark.part !== null && { trim: remark.part }) };
    case 'key-step': {
      const others = before.keySteps.filter(step => step !== remark.step);
      return { ...before, keySteps: remark.isKey ? [...others, remark.step].sort((a, b) => a - b) : others };
    }
    case 'instruction':
    case 'note':
      return { ...without(before, remark.kind), ...(remark.text !== '' && { [remark.kind]: remark.text }) };
    case 'label':
      return { ...without(before, 'label'), ...(remark.label !== '' && { label: remark.label }) };
  }
}

function without(marked: AnnotationMarks, name: keyof AnnotationMarks): AnnotationMarks {
  const { [name]: _gone, ...rest } = marked;
  return { keySteps: [], ...rest };
}

function undoOf(before: AnnotationMarks, remark: AnnotationRemark, who: string): AnnotationRemark {
  switch (remark.kind) {
    case 'pool':
      return { kind: 'pool', isMember: before.votes?.find(vote => vote.who === who)?.isMember ?? null };
    case 'verdict':
      return { kind: 'verdict', success: before.verdict ?? null };
    case 'trim':
      return { kind: 'trim', part: before.trim ?? null };
    case 'key-step':
      return { ...remark, isKey: before.keySteps.includes(remark.step) };
    case 'instruction':
    case 'note':
      return { kind: remark.kind, text: before[remark.kind] ?? '' };
    case 'label':
      return { kind: 'label', label: before.label ?? '' };
  }
}
