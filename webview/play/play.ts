// The page's table of contents: which part hears of what. It begins with a desktop to look around in.

import '../shared/strict.ts';
import type { StartedTask, TaskSplit } from '../../runtime/protocol/play.ts';
import { need } from '../shared/dom.ts';
import { takeToken } from '../shared/token.ts';
import { type Stage, showCard } from './card.ts';
import { Desk } from './desk.ts';
import { gestureOf, LEAVES, pressing } from './keyboard.ts';
import { Link, type Loss } from './link.ts';
import { Picker } from './picker.ts';
import { listenToPointer } from './pointer.ts';

const button = (id: string) => need(id, HTMLButtonElement);
const connection = need('link', HTMLParagraphElement);
const instruction = need('instruction', HTMLHeadingElement);
const side = need('side', HTMLElement);
const lost = need('lost', HTMLDivElement);
const pace = need('pace', HTMLSelectElement);
const keys = need('keys', HTMLSelectElement);
const last = need('last', HTMLParagraphElement);
const hint = need('hint', HTMLParagraphElement);
const frame = need('frame', HTMLDivElement);

let link: Link | undefined;
let stage: Stage = { kind: 'waiting' };

const desk = new Desk({
  ask: (kind, request) => {
    if (link === undefined) return Promise.reject(new Error('There is no connection.'));
    return link.ask(kind, request);
  },
  acted: steps => {
    if (stage.kind === 'task') become({ ...stage, steps });
  },
  say: text => {
    last.textContent = text;
  },
});
const picker = new Picker((task, split) => start(task.id, { split }));

function become(next: Stage): void {
  stage = next;
  showCard(stage);
  const verdict = stage.kind === 'judged' ? String(stage.judgement.success) : '';
  frame.dataset['verdict'] = verdict;
  desk.locked = stage.kind !== 'free' && stage.kind !== 'task';
}

/** What was asked for may be refused: then its reason is said, and all stays as it is. */
const trying =
  (doing: () => Promise<void>): (() => void) =>
  () => {
    doing().catch((error: unknown) => {
      last.textContent = error instanceof Error ? error.message : String(error);
    });
  };

function start(task: string, which: { readonly seed?: number; readonly split?: TaskSplit }): void {
  trying(async () => {
    if (link === undefined) return;
    const { task: started } = await link.ask('started', { call: 'start', task, ...which });
    if (started !== null) begin({ kind: 'task', task: started, steps: 0 });
  })();
}

const free = trying(async () => {
  if (link === undefined) return;
  await link.ask('started', { call: 'free' });
  begin({ kind: 'free' });
});

function begin(next: Stage): void {
  desk.clear();
  become(next);
  side.scrollTop = 0;
  picker.mark('task' in next ? next.task.id : undefined);
  if (next.kind !== 'watching') desk.view.glass.focus();
}

const judge = (ending: 'finished' | 'fail') =>
  trying(async () => {
    if (stage.kind !== 'task' || link === undefined) return;
    const { task } = stage;
    const { judgement } = await link.ask('judged', { call: 'judge', ending });
    become({ kind: 'judged', task, judgement, shown: false });
    if (judgement.success) picker.solved(task.id);
    instruction.focus();
  });

const again = (which: (task: StartedTask) => { seed?: number; split?: TaskSplit }) => () => {
  if ('task' in stage) start(stage.task.id, which(stage.task));
};

const watch = trying(async () => {
  if (link === undefined || !('task' in stage)) return;
  if (stage.kind === 'watching') {
    const { task } = stage;
    await link.ask('stopped', { call: 'stop' });
    // It may have come to its end in the meantime.
    if (stage.kind === 'watching') become({ kind: 'stopped', task });
    desk.clear();
    return;
  }
  const { task, actions } = await link.ask('watching', { call: 'watch', pause: Number(pace.value) });
  begin({ kind: 'watching', task, at: 0, of: actions });
});

button('done').addEventListener('click', judge('finished'));
button('impossible').addEventListener('click', judge('fail'));
button('restart').addEventListener(
  'click',
  again(({ seed }) => ({ seed })),
);
button('another').addEventListener(
  'click',
  again(({ split }) => ({ split })),
);
button('watch').addEventListener('click', watch);
button('free').addEventListener('click', free);
button('fresh').addEventListener('click', free);
button('first').addEventListener('click', () => {
  if (picker.first !== undefined) start(picker.first.id, { split: picker.split });
});
for (const name of ['trail', 'elements'] as const) {
  button(name).addEventListener('click', ({ currentTarget }) => {
    if (currentTarget instanceof HTMLElement)
      currentTarget.setAttribute('aria-pressed', String(desk.toggle(name)));
  });
}
keys.addEventListener('change', () => {
  const gesture = pressing(keys.value.split(' ').filter(name => name !== ''));
  keys.value = '';
  if (gesture !== undefined) desk.send(gesture);
  desk.view.glass.focus();
});

listenToPointer({
  view: desk.view,
  send: gesture => desk.send(gesture),
  elementAt: at => desk.elementAt(at),
  dragging: (from, to) => desk.dragging(from, to),
  hovering: at => desk.hovering(at),
});
desk.view.glass.addEventListener('keydown', event => {
  if (event.key === LEAVES) {
    event.preventDefault();
    instruction.focus();
    return;
  }
  const altGraph = event.getModifierState('AltGraph');
  const { key, ctrlKey, altKey, shiftKey, metaKey } = event;
  const gesture = gestureOf({ key, ctrlKey, altKey, shiftKey, metaKey, altGraph });
  if (gesture === undefined) return;
  event.preventDefault();
  desk.send(gesture);
});
const hintAt = (focused: boolean) => () => {
  hint.textContent = focused
    ? 'The keyboard is the desktop’s; F6 leaves it.'
    : 'Click the screen to use the keyboard there.';
};
desk.view.glass.addEventListener('focus', hintAt(true));
desk.view.glass.addEventListener('blur', hintAt(false));
hintAt(false)();

function connect(): void {
  const before = stage;
  lost.hidden = true;
  show('connecting');
  const opened = new Link({
    screen: screen => desk.show(screen),
    event: event => {
      if (stage.kind !== 'watching') return;
      const { task } = stage;
      if (event.kind === 'next') {
        desk.announce(event.action);
        become({ ...stage, at: event.number });
      } else if (event.kind === 'watched') {
        desk.announce(undefined);
        become({ kind: 'judged', task, judgement: event.judgement, shown: true });
      } else {
        become({ kind: 'stopped', task });
        last.textContent = event.message;
      }
    },
    lost: loss => {
      if (link === opened) disconnected(loss);
    },
  });
  link = opened;
  trying(async () => {
    await opened.hello(takeToken());
    show('connected');
    picker.show((await opened.ask('tasks', { call: 'tasks' })).tasks);
    if ('task' in before) start(before.task.id, { seed: before.task.seed });
    else free();
  })();
}

function show(state: 'connecting' | 'connected' | 'disconnected'): void {
  connection.dataset['link'] = state;
  side.inert = state !== 'connected';
  connection.textContent = {
    connecting: 'Connecting…',
    connected: 'Connected',
    disconnected: 'Disconnected',
  }[state];
}

function disconnected({ refused, why }: Loss): void {
  show('disconnected');
  desk.locked = true;
  need('lost-title', HTMLHeadingElement).textContent = refused ? 'This page was not let in' : 'Disconnected';
  need('lost-why', HTMLParagraphElement).textContent = refused
    ? why
    : 'The program was stopped, or cannot be reached. Its desktop is gone; after reconnecting, the same task starts anew.';
  button('reconnect').hidden = refused;
  lost.hidden = false;
  if (!refused) button('reconnect').focus();
}

button('reconnect').addEventListener('click', connect);
// Another printed address was opened in this tab.
window.addEventListener('hashchange', () => {
  const old = link;
  connect();
  old?.close();
});
connect();
