// The panel Record in Chromium, with real pocket desktops: mouse and keyboard solve a task, and the demonstration enters the success pool.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { eventsOf } from '../../runtime/bench/panels/hand.ts';
import { PageHand } from '../../runtime/bench/panels/page-hand.ts';
import { parseConfig } from '../../runtime/config/config.ts';
import type { Action } from '../../runtime/core/action.ts';
import { COMPACT_AGENT } from '../../runtime/core/agent.ts';
import { seed, type TrajectoryId, trajectoryId } from '../../runtime/core/ids.ts';
import { seeded } from '../../runtime/core/rng.ts';
import { systemClock } from '../../runtime/core/system-clock.ts';
import { POCKET, solutionOf } from '../../runtime/environments/pocket/tasks/suite.ts';
import type { RecordingAgents } from '../../runtime/person/recording-agents.ts';
import { PersonRecordings } from '../../runtime/person/recordings.ts';
import type { RecordingState, SentInput } from '../../runtime/protocol/daemon/record.ts';
import type { DesktopKind } from '../../runtime/protocol/desktop-kinds.ts';
import { startServer } from '../../runtime/server/server.ts';
import { opened } from '../data/open-stores.ts';
import { folder } from '../data/trajectories.ts';
import { playing, ScriptedAgent } from '../person/scripted-agent.ts';
import { playedState } from '../server/played-state.ts';
import { ScriptedRuns } from '../server/scripted-runs.ts';
import { violations } from './accessibility.ts';
import { HOW_TO, hasChromium, launch } from './chromium.ts';

const PAGES = new URL('../../dist/webview/', import.meta.url);
const GLASS = '.glass';
/** Its solution is five clicks. */
const LIVE_TASK = 'settings-language';
/** The number of the click that the agent does not do. */
const MISSING = 2;
const WAIT: Action = { kind: 'wait' };

if (!hasChromium) process.stderr.write(`${HOW_TO}\n`);

/** The built-in agent, which does the scripted solution; in place of one click it waits. It decides once `go` is called. */
function scripted() {
  let now: () => RecordingState | undefined = () => undefined;
  let go: () => void = () => undefined;
  const gate = new Promise<void>(resolve => {
    go = resolve;
  });
  const actionsOf = (): readonly Action[] => {
    const number = seed(now()?.seed ?? 0);
    return solutionOf(POCKET, POCKET.task(now()?.task ?? '', number), number).actions;
  };
  const agents: RecordingAgents = {
    names: () => [COMPACT_AGENT],
    open: async () => {
      const turns = actionsOf().map((action, index): Action => (index === MISSING ? WAIT : action));
      const agent = new ScriptedAgent(...turns, { kind: 'finished', answer: '' });
      agent.thinking = () => gate;
      return playing(agent);
    },
  };
  return {
    ...{ agents, go, actionsOf, state: () => now() },
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

describe.skipIf(!hasChromium)('the panel Record', () => {
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

  test('a person chooses a task, solves it with mouse and keyboard, drops a step and saves it', async () => {
    const { page, store, accepted, recordings } = await shown();
    await page.getByRole('textbox', { name: 'Your name' }).fill('Ada');
    await page.getByRole('textbox', { name: 'Search tasks' }).fill('notes-write');
    await button(page, 'Record notes-write').click();
    await acting(page);
    await solve(page, 'notes-write', recordings);
    await page.keyboard.press('F2');
    await page.locator('.record-steps li').getByText('Press F2').waitFor();
    await button(page, 'Finish').click();
    await page.locator('.record-status').getByText('Solved').waitFor();
    const superfluous = page.getByRole('checkbox', { name: 'Press F2' });
    await superfluous.click();
    await button(page, 'Save').click();
    await page.locator('.record-status').getByText('Saved').waitFor();
    await page.getByText('The built-in policy learns from it.').waitFor();
    const [id = ''] = accepted;
    const { provenance, steps } = await store.read(trajectoryId(id));
    expect(provenance).toEqual({ kind: 'human', who: 'Ada' });
    expect(JSON.stringify(steps.map(({ action }) => action))).not.toContain('f2');
  });

  test('the tasks are those of the kind that was chosen last, in any order of the replies', async () => {
    let answer: () => void = () => undefined;
    const gate = new Promise<void>(resolve => {
      answer = resolve;
    });
    const { page, recordings, lists } = await shown('#/record', false, undefined, {
      kinds: ['pocket', 'web'],
      before: async kind => (kind === 'web' ? await gate : undefined),
    });
    await button(page, 'Record notes-write').waitFor();
    const kinds = page.getByRole('combobox', { name: 'Kind of desktops' });
    await kinds.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await button(page, 'Record notes-write').waitFor();
    answer();
    await expect.poll(lists).toBe(3);
    await button(page, 'Record notes-write').click();
    await acting(page);
    expect(recordings.now().recording?.task).toBe('notes-write');
  });

  test('an address starts a task; the page that is opened again continues it', async () => {
    const { page, recordings } = await shown('#/record?task=settings-night-light');
    await acting(page);
    await solve(page, 'settings-night-light', recordings);
    const steps = recordings.now().recording?.steps.length;
    await page.reload();
    await acting(page);
    expect(await page.locator('.record-steps li').count()).toBe(steps);
    await button(page, 'Discard').click();
    await page.getByRole('heading', { name: 'Record a demonstration' }).waitFor();
    expect(recordings.now()).toEqual({});
  });

  test('choices and dropped steps survive a reload, as of a tab that was hidden', async () => {
    const { page, recordings } = await shown('#/record');
    const own = () => page.getByRole('textbox', { name: 'Your own instruction' });
    const search = () => page.getByRole('textbox', { name: 'Search tasks' });
    await own().fill('Make the screen warm.');
    await search().fill('settings-night-light');
    await page.reload();
    await button(page, 'Record settings-night-light').waitFor();
    expect([await own().inputValue(), await search().inputValue()]).toEqual([
      ...['Make the screen warm.', 'settings-night-light'],
    ]);
    await own().fill('');
    await button(page, 'Record settings-night-light').click();
    await acting(page);
    await solve(page, 'settings-night-light', recordings);
    await button(page, 'Finish').click();
    const boxes = () => page.locator('.record-steps').getByRole('checkbox');
    await boxes().first().click();
    await page.reload();
    await boxes().first().waitFor();
    expect(await boxes().first().isChecked()).toBe(false);
  });

  test.each([
    ['a task', '#/record?task=settings-night-light'],
    ['an agent', `#/record?agent=compact&task=${LIVE_TASK}`],
  ])('an address starts %s once, and not again when the panel is opened again', async (_, place) => {
    const { page, recordings } = await shown(place, false, scripted());
    await acting(page);
    // It ends as after a long time without its page.
    await recordings.close();
    await page.reload();
    await page.getByRole('heading', { name: 'Record a demonstration' }).waitFor();
    await page.getByRole('link', { name: 'Training', exact: true }).click();
    await page.getByRole('link', { name: 'Record', exact: true }).click();
    await page.getByRole('heading', { name: 'Record a demonstration' }).waitFor();
    expect(recordings.now()).toEqual({});
  });

  test('the keyboard goes to the desktop after a click, and returns after two Escapes', async () => {
    const { page, sent } = await shown('#/record?task=notes-write');
    await acting(page);
    const captured = () => page.locator('.record').getAttribute('data-captured');
    await page.locator(GLASS).click();
    await expect.poll(captured).toBe('true');
    await page.keyboard.press('Control+s');
    // In one task of the page: on a busy machine, two presses may be too far apart.
    await page.locator(GLASS).evaluate(glass => {
      for (const _ of [1, 2])
        glass.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
    });
    await expect.poll(captured).toBe('false');
    await expect
      .poll(() => sent.filter(({ kind }) => kind === 'keys'))
      .toEqual([
        { kind: 'keys', keys: ['ctrl', 's'] },
        { kind: 'keys', keys: ['esc'] },
      ]);
    // The stage is in the order of the Tab key, and its name says how to leave it.
    await page.getByRole('textbox', { name: 'Live desktop' }).focus();
    await expect.poll(captured).toBe('true');
  });

  test('an agent acts live: the person approves its actions, corrects one with the mouse, and keeps the correction', async () => {
    const script = scripted();
    const { page, store, accepted } = await shown('#/record', false, script);
    await page.getByRole('textbox', { name: 'Your name' }).fill('Ada');
    await page.getByRole('combobox', { name: 'Who acts' }).click();
    await page.getByRole('option', { name: 'Agent compact' }).click();
    await page.getByRole('textbox', { name: 'Search tasks' }).fill(LIVE_TASK);
    await button(page, `Run ${LIVE_TASK}`).click();
    await acting(page);
    await button(page, 'Approve each step').click();
    await expect.poll(() => script.state()?.pilot?.mode).toBe('approve');
    script.go();
    const proposal = page.locator('.record-proposal');
    const steps = page.locator('.record-steps li');
    for (let step = 0; step < MISSING; step++) {
      await proposal.getByText('Proposed:').waitFor();
      expect(await steps.count()).toBe(step);
      if (step === 0) {
        await page.getByRole('img', { name: 'The agent proposes' }).waitFor();
        await page.getByRole('heading', { name: 'Pointer target' }).waitFor();
        expect(await violations(page)).toEqual([]);
        // A held key approves nothing.
        await page.locator('body').dispatchEvent('keydown', { key: 'y', repeat: true });
        await page.locator('body').press('y');
      } else await button(page, 'Approve').click();
      await expect.poll(() => steps.count()).toBe(step + 1);
    }
    await proposal.getByText('Proposed:').waitFor();
    const correction = script.actionsOf()[MISSING];
    if (correction !== undefined) await perform(page, correction);
    await expect.poll(() => steps.count()).toBe(MISSING + 1);
    expect(script.state()?.pilot).toMatchObject({ mode: 'pause' });
    expect(await page.locator('.record-by').count()).toBe(MISSING);
    await button(page, 'Run').click();
    await page.locator('.record-status').getByText('Solved').waitFor();
    await button(page, 'Save').click();
    await page.locator('.record-status').getByText('Saved').waitFor();
    const [id = ''] = accepted;
    expect(await store.index.row(trajectoryId(id))).toMatchObject({
      ...{ provenance: 'human', trim: { from: MISSING, to: 6 } },
    });
  });

  test('an address starts an agent, and a rejected action is not performed', async () => {
    const script = scripted();
    const { page } = await shown(`#/record?agent=compact&task=${LIVE_TASK}`, false, script);
    await acting(page);
    await button(page, 'Step').waitFor();
    await button(page, 'Approve each step').click();
    await expect.poll(() => script.state()?.pilot?.mode).toBe('approve');
    script.go();
    await button(page, 'Reject').click();
    await expect.poll(() => script.state()?.pilot?.mode).toBe('pause');
    expect(script.state()).toMatchObject({ phase: 'acting', steps: [] });
    await button(page, 'Discard').click();
    await page.getByRole('heading', { name: 'Record a demonstration' }).waitFor();
  });

  test('text of an input method and of the clipboard arrives as text', async () => {
    const { page, sent } = await shown('#/record?task=notes-write');
    await acting(page);
    await page.locator(GLASS).click();
    const session = await page.context().newCDPSession(page);
    await session.send('Input.imeSetComposition', { text: 'か', selectionStart: 1, selectionEnd: 1 });
    await session.send('Input.insertText', { text: '漢' });
    await page.keyboard.type('é');
    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.setData('text/plain', 'two words');
      document.querySelector('.glass').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    })()`);
    await expect
      .poll(() => sent.flatMap(event => (event.kind === 'text' ? event.text : [])))
      .toEqual(['漢', 'é', 'two words']);
  });

  test('a click with a modifier key is refused with the reason, since no agent has it', async () => {
    const { page, sent } = await shown('#/record?task=notes-write');
    await acting(page);
    await page.locator(GLASS).click({ modifiers: ['Shift'] });
    await page.getByText('A click with a modifier key was not sent').waitFor();
    await page.locator(GLASS).click();
    await expect.poll(() => sent.filter(({ kind }) => kind === 'press')).toHaveLength(1);
  });

  test('a solution is shown, and then the person does it', async () => {
    const { page } = await shown('#/record?task=settings-night-light');
    await acting(page);
    await button(page, 'Show a solution').click();
    await page.getByText('The solution is over').waitFor();
    await button(page, 'Start over').click();
    await acting(page);
    expect(await page.locator('.record-steps li').count()).toBe(0);
  });

  test('the screen leaves room for the buttons when the window becomes narrower', async () => {
    const { page } = await shown('#/record?task=settings-night-light');
    await acting(page);
    const overlap = () =>
      page.evaluate(() => {
        const edge = (name: string) => document.querySelector(name)?.getBoundingClientRect();
        return (edge('.stage-frame')?.right ?? 0) - (edge('.record-side')?.left ?? 0);
      });
    for (const width of [1280, 925, 800]) {
      await page.setViewportSize({ width, height: 800 });
      await expect.poll(overlap).toBeLessThanOrEqual(0);
    }
  });

  test('a hidden panel asks for no pictures', async () => {
    const { page, looks } = await shown('#/record?task=notes-write');
    await acting(page);
    await expect.poll(looks).toBeGreaterThan(0);
    await page.getByRole('link', { name: 'Trajectories' }).click();
    await page
      .getByRole('link', { name: 'Trajectories' })
      .and(page.locator('[aria-current="page"]'))
      .waitFor();
    // The request that was under way ends; no other follows.
    await page.waitForFunction('!document.querySelector(".record")');
    const before = looks();
    await page.evaluate('new Promise(done => setTimeout(done, 2500))');
    expect(looks() - before).toBeLessThanOrEqual(1);
    await page.getByRole('link', { name: 'Record', exact: true }).click();
    await expect.poll(looks).toBeGreaterThan(before + 1);
  });

  test('an impossible start is an error with its reason', async () => {
    const { page } = await shown('#/record?task=no-such-task');
    await page.getByRole('alert').getByText("no task 'no-such-task'").waitFor();
  });

  test('read-only runs offer no recording', async () => {
    const { page } = await shown('#/record', true);
    await page.getByRole('heading', { name: 'Nothing can be recorded here' }).waitFor();
  });

  test('has no violations of accessibility rules in any theme', async () => {
    const { page } = await shown();
    await page.locator('.record-task').first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('textbox', { name: 'Search tasks' }).fill('settings-night-light');
    await button(page, 'Record settings-night-light').click();
    await acting(page);
    await page.locator(GLASS).click();
    expect(await violations(page)).toEqual([]);
    await button(page, 'Finish').click();
    await page.locator('.record-status').getByText('Not solved').waitFor();
    expect(await violations(page)).toEqual([]);
  });
});
