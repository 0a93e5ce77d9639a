// The fixture of the tests of the panel Record: a browser, a daemon with real pocket desktops, and an agent with a script.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { eventsOf } from '../../runtime/bench/panels/hand.ts';
import { PageHand } from '../../runtime/bench/panels/page-hand.ts';
import { parseConfig } from '../../runtime/config/config.ts';
import type { Action } from '../../runtime/core/action.ts';
import { COMPACT_AGENT } from '../../runtime/core/agent.ts';
import { seed, type TrajectoryId } from '../../runtime/core/ids.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { POCKET, solutionOf } from '../../runtime/environments/pocket/tasks/suite.ts';
import type { AskedAgent, RecordingAgents } from '../../runtime/person/recording-agents.ts';
import { PersonRecordings } from '../../runtime/person/recordings.ts';
import type { RecordingState, SentInput } from '../../runtime/protocol/daemon/record.ts';
import type { DesktopKind } from '../../runtime/protocol/desktop-kinds.ts';
import { startServer } from '../../runtime/server/server.ts';
import { opened } from '../data/open-stores.ts';
import { folder } from '../data/trajectories.ts';
import { playing, ScriptedAgent } from '../person/scripted-agent.ts';
import { playedState } from '../server/played-state.ts';
import { ScriptedRuns } from '../server/scripted-runs.ts';
import { HOW_TO, hasChromium, launch } from './chromium.ts';

const PAGES = new URL('../../dist/webview/', import.meta.url);
export const GLASS = '.glass';
/** Its solution is five clicks. */
export const LIVE_TASK = 'settings-language';
/** The number of the click that the agent does not do. */
export const MISSING = 2;
const WAIT: Action = { kind: 'wait' };

if (!hasChromium) process.stderr.write(`${HOW_TO}\n`);

/** The built-in agent, which does the scripted solution; in place of one click it waits. It decides once `go` is called. */
export function scripted() {
  let now: () => RecordingState | undefined = () => undefined;
  let go: () => void = () => undefined;
  const gate = new Promise<void>(resolve => {
    go = resolve;
  });
  const actionsOf = (): readonly Action[] => {
    const number = seed(now()?.seed ?? 0);
    return solutionOf(POCKET, POCKET.task(now()?.task ?? '', number), number).actions;
  };
  const asked: AskedAgent[] = [];
  const agents: RecordingAgents = {
    names: () => [COMPACT_AGENT],
    open: async one => {
      asked.push(one);
      const turns = actionsOf().map((action, index): Action => (index === MISSING ? WAIT : action));
      const agent = new ScriptedAgent(...turns, { kind: 'finished', answer: '' });
      agent.id = COMPACT_AGENT;
      agent.thinking = () => gate;
      return playing(agent);
    },
  };
  return {
    ...{ agents, asked, go, actionsOf, state: () => now() },
    watch(recording: () => RecordingState | undefined) {
      now = recording;
    },
  };
}

interface OfferedKinds {
  readonly kinds?: readonly DesktopKind[];
  /** Awaited before the tasks of a kind are known. */
  readonly before?: (kind: DesktopKind | undefined) => Promise<void>;
}

/** One browser for all tests of a suite. Each test opens its own daemon and page. */
export function recordPanel() {
  let browser: Awaited<ReturnType<typeof launch>>;

  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());

  async function shown(
    place = '#/record',
    readOnly = false,
    script?: ReturnType<typeof scripted>,
    { kinds = ['pocket'], before = async () => undefined }: OfferedKinds = {},
  ) {
    const { store } = await opened({ root: folder() });
    const accepted: TrajectoryId[] = [];
    const recordings = new PersonRecordings({
      ...{ store, clock: systemClock, random: seeded('panel'), isGuest: () => false },
      config: async kind => {
        await before(kind);
        return parseConfig(kind === undefined ? {} : { environments: { kind } });
      },
      accept: async id => void accepted.push(id),
      ...(script !== undefined && { agents: script.agents }),
    });
    script?.watch(() => recordings.now().recording);
    const runs = new ScriptedRuns(playedState(5));
    runs.recordings = recordings;
    runs.desktops = { ...runs.desktops, kinds: async () => kinds.map(kind => ({ kind, is: 'here' })) };
    const server = await startServer({
      ...{ pages: PAGES, port: 0, token: 'a-token', runs, clock: systemClock, keepTraining: false },
      ...{ parseConfig, readOnly },
    });
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    const pageErrors: string[] = [];
    page.on('pageerror', error => pageErrors.push(error.message));
    page.on('console', message => message.type() === 'error' && pageErrors.push(message.text()));
    const sent: SentInput['event'][] = [];
    let looks = 0;
    const asked = new Set<number>();
    let lists = 0;
    page.on('websocket', socket =>
      socket.on('framesent', ({ payload }) => {
        const { id, method, params } = JSON.parse(payload.toString());
        if (method === 'record.tasks') asked.add(id);
        if (method === 'record.input') sent.push(...params.inputs.map(({ event }: SentInput) => event));
        if (method === 'record.look') looks += 1;
      }),
    );
    page.on('websocket', socket =>
      socket.on('framereceived', ({ payload }) => {
        if (typeof payload === 'string' && asked.has(JSON.parse(payload).id)) lists += 1;
      }),
    );
    onTestFinished(async () => {
      await page.close();
      await server.close();
      await recordings.close();
      expect(pageErrors).toEqual([]);
    });
    await page.goto(`${server.address}${place.slice(1)}`);
    await page.getByText('Connected', { exact: true }).waitFor();
    return { page, store, accepted, recordings, sent, looks: () => looks, lists: () => lists };
  }

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const acting = (page: Page) => page.locator('.record-status[data-phase="acting"]').waitFor();

  /** With the browser's own mouse and keyboard. */
  async function perform(page: Page, action: Action): Promise<void> {
    const hand = new PageHand(page.mainFrame());
    for (const event of eventsOf(action)) await hand.do(event);
  }

  async function solve(page: Page, task: string, recordings: PersonRecordings): Promise<void> {
    const number = seed(recordings.now().recording?.seed ?? 0);
    const { actions } = solutionOf(POCKET, POCKET.task(task, number), number);
    for (const [index, action] of actions.entries()) {
      const count = recordings.now().recording?.steps.length ?? 0;
      await perform(page, action);
      // Enter and other keys after a text may be part of one step of the script.
      await expect
        .poll(() => recordings.now().recording?.steps.length ?? 0, { message: `step ${index}` })
        .toBeGreaterThan(count);
    }
  }

  return { shown, button, acting, perform, solve };
}
