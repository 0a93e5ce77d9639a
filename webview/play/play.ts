// The entry of the play page: connects its parts. It starts with a desktop without a task.

import { messageOf } from '../shared/errors.ts';
import '../shared/zod-without-eval.ts';
import type { PlaySplit, StartedTask } from '../../runtime/protocol/play.ts';
import { findElement } from '../shared/dom.ts';
import { takeToken } from '../shared/token.ts';
import { type PlayStage, showCard } from './card.ts';
import { Desk } from './desk.ts';
import { actionForKey, hotkeyAction, LEAVE_KEY } from './keyboard.ts';
import { PlayLink, type PlayLoss } from './link.ts';
import { Picker } from './picker.ts';
import { listenToPointer } from './pointer.ts';

const button = (id: string) => findElement(id, HTMLButtonElement);
const connection = findElement('link', HTMLParagraphElement);
const instruction = findElement('instruction', HTMLHeadingElement);
const side = findElement('side', HTMLElement);
const lost = findElement('lost', HTMLDivElement);
const pace = findElement('pace', HTMLSelectElement);
const keys = findElement('keys', HTMLSelectElement);
const last = findElement('last', HTMLParagraphElement);
const hint = findElement('hint', HTMLParagraphElement);
const frame = findElement('frame', HTMLDivElement);

let link: PlayLink | undefined;
let stage: PlayStage = { kind: 'waiting' };

const desk = new Desk({
  request: (method, params) => {
    if (link === undefined) return Promise.reject(new Error('There is no connection. Reconnect first.'));
    return link.request(method, params);
  },
  onAction: steps => {
    if (stage.kind === 'task') become({ ...stage, steps });
  },
  showStatus: text => {
    last.textContent = text;
  },
});
const picker = new Picker((task, split) => start(task.id, { split }));

function become(next: PlayStage): void {
  stage = next;
  showCard(stage);
  const verdict = stage.kind === 'judged' ? String(stage.judgement.success) : '';
  frame.dataset['verdict'] = verdict;
  desk.locked = stage.kind !== 'free' && stage.kind !== 'task';
}

/** Shows the message of a failed action; the page keeps its state. */
const withErrors =
  (doing: () => Promise<void>): (() => void) =>
  () => {
    doing().catch((error: unknown) => {
      last.textContent = messageOf(error);
    });
  };

function start(task: string, which: { readonly seed?: number; readonly split?: PlaySplit }): void {
  withErrors(async () => {
    if (link === undefined) return;
    const { task: started } = await link.request('start', { task, ...which });
    begin({ kind: 'task', task: started, steps: 0 });
  })();
}

const free = withErrors(async () => {
  if (link === undefined) return;
  await link.request('free', {});
  begin({ kind: 'free' });
});

function begin(next: PlayStage): void {
  desk.clear();
  become(next);
  side.scrollTop = 0;
  picker.mark('task' in next ? next.task.id : undefined);
  if (next.kind !== 'watching') desk.view.glass.focus();
}

const judge = (ending: 'finished' | 'fail') =>
  withErrors(async () => {
    if (stage.kind !== 'task' || link === undefined) return;
    const { task } = stage;
    const judgement = await link.request('judge', { ending });
    become({ kind: 'judged', task, judgement, isScripted: false });
    if (judgement.success) picker.solved(task.id);
    instruction.focus();
  });

const again = (which: (task: StartedTask) => { seed?: number; split?: PlaySplit }) => () => {
  if ('task' in stage) start(stage.task.id, which(stage.task));
};

const watch = withErrors(async () => {
  if (link === undefined || !('task' in stage)) return;
  if (stage.kind === 'watching') {
    const { task } = stage;
    await link.request('stop', {});
    // The solution may have ended meanwhile.
    if (stage.kind === 'watching') become({ kind: 'stopped', task });
    desk.clear();
    return;
  }
  const { task, actions } = await link.request('watch', { pause: Number(pace.value) });
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
  const gesture = hotkeyAction(keys.value.split(' ').filter(name => name !== ''));
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
  if (event.key === LEAVE_KEY) {
    event.preventDefault();
    instruction.focus();
    return;
  }
  const altGraph = event.getModifierState('AltGraph');
  const { key, ctrlKey, altKey, shiftKey, metaKey } = event;
  const gesture = actionForKey({ key, ctrlKey, altKey, shiftKey, metaKey, altGraph });
  if (gesture === undefined) return;
  event.preventDefault();
  desk.send(gesture);
});
const hintAt = (focused: boolean) => () => {
  hint.textContent = focused
    ? 'The desktop has the keyboard; F6 leaves it.'
    : 'Click the screen to use the keyboard there.';
};
desk.view.glass.addEventListener('focus', hintAt(true));
desk.view.glass.addEventListener('blur', hintAt(false));
hintAt(false)();

function connect(): void {
  const before = stage;
  lost.hidden = true;
  show('connecting');
  const opened = new PlayLink({
    screen: screen => desk.show(screen),
    event: event => {
      if (stage.kind !== 'watching') return;
      const { task } = stage;
      if (event.method === 'next') {
        desk.announce(event.params.action);
        become({ ...stage, at: event.params.number });
      } else if (event.method === 'watched') {
        desk.announce(undefined);
        become({ kind: 'judged', task, judgement: event.params, isScripted: true });
      } else {
        become({ kind: 'stopped', task });
        last.textContent = event.params.message;
      }
    },
    lost: loss => {
      if (link === opened) disconnected(loss);
    },
  });
  link = opened;
  withErrors(async () => {
    await opened.hello(takeToken());
    show('connected');
    picker.show((await opened.request('tasks', {})).tasks);
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

function disconnected({ refused, why }: PlayLoss): void {
  show('disconnected');
  desk.locked = true;
  findElement('lost-title', HTMLHeadingElement).textContent = refused
    ? 'The server rejected this page'
    : 'Disconnected';
  findElement('lost-why', HTMLParagraphElement).textContent = refused
    ? why
    : 'The server has stopped or is not reachable, and the desktop is gone. Start `npm run play` again, then reconnect: the same task starts over.';
  button('reconnect').hidden = refused;
  lost.hidden = false;
  if (!refused) button('reconnect').focus();
}

button('reconnect').addEventListener('click', connect);
// The user opened the address of another server in this tab.
window.addEventListener('hashchange', () => {
  const old = link;
  connect();
  old?.close();
});
connect();
