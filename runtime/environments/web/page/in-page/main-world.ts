// Runs in the world of a page before the page's own scripts. It counts the work that an input caused and that is unfinished: timers,
// frames, idle callbacks, images, answers of workers, requests and the bodies of their responses. Work that the page does on its own, such as a ticking clock, does not count.

/// <reference lib="dom" />
import { ASK_BUSY, COPIED_EVENT, FORGET_WORK } from './channel.ts';

/** A later timeout is not the reaction to an input. */
const MAX_TIMEOUT_MS = 1000;
/** A slower interval is not an animation. */
const MAX_INTERVAL_MS = 100;

const INPUTS = [
  ...['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu'],
  ...[
    'mousemove',
    'mouseover',
    'wheel',
    'scroll',
    'keydown',
    'keyup',
    'input',
    'change',
    'submit',
    'focusin',
    'focusout',
  ],
  ...['dragstart', 'dragover', 'drop', 'dragend', 'hashchange', 'popstate'],
];

const native = {
  setTimeout: window.setTimeout.bind(window),
  clearTimeout: window.clearTimeout.bind(window),
  setInterval: window.setInterval.bind(window),
  clearInterval: window.clearInterval.bind(window),
  requestAnimationFrame: window.requestAnimationFrame.bind(window),
  cancelAnimationFrame: window.cancelAnimationFrame.bind(window),
  requestIdleCallback: window.requestIdleCallback.bind(window),
  cancelIdleCallback: window.cancelIdleCallback.bind(window),
  fetch: window.fetch.bind(window),
  postTask: window.scheduler.postTask.bind(window.scheduler),
  queueMicrotask: window.queueMicrotask.bind(window),
};

/** Whether the code that runs now was caused by an input. */
let isCaused = false;
/** Unfinished work, by a key per kind of work. Replaced when it is forgotten. */
let work = new Set<unknown>();

function begin(key: unknown): () => void {
  const begun = work;
  begun.add(key);
  return () => begun.delete(key);
}

/** Until the tasks that are queued now have run, which includes the continuations of promises. */
function causedByInput(): void {
  isCaused = true;
  // Not a timer: pages can cancel timers by their numbers.
  void native.postTask(
    () => {
      isCaused = false;
    },
    { delay: 1 },
  );
}

/**
 * The callback of a timer, and what awaits it, runs as the code that started it: an ambient timer stays ambient. After the work is forgotten,
 * a callback of it is ambient too. Otherwise a reaction that renews itself would be waited for after every input.
 */
function within<Arguments extends unknown[]>(
  caused: boolean,
  callback: (...args: Arguments) => void,
): (...args: Arguments) => void {
  const of = work;
  return function (this: unknown, ...args: Arguments) {
    const before = isCaused;
    isCaused = caused && of === work;
    try {
      callback.apply(this, args);
    } finally {
      if (caused && of === work) causedByInput();
      else isCaused = before;
    }
  };
}

const timeouts = new Map<number, () => void>();
const intervals = new Map<number, () => void>();
const frames = new Map<number, () => void>();
const idles = new Map<number, () => void>();

function end(of: Map<number, () => void>, id: number | undefined): void {
  if (id === undefined) return;
  of.get(id)?.();
  of.delete(id);
}

/** Starts a callback that runs once. It counts from now until it has run or is cancelled. */
function startOnce<Arguments extends unknown[]>(
  pending: Map<number, () => void>,
  callback: (...args: Arguments) => void,
  start: (run: (...args: Arguments) => void) => number,
  counts = true,
): number {
  const caused = isCaused;
  const run = within(caused, (...args: Arguments) => {
    try {
      callback.apply(window, args);
    } finally {
      end(pending, id);
    }
  });
  const id = start(run);
  if (caused && counts) pending.set(id, begin({ id }));
  return id;
}

function setTimeoutCounted(handler: TimerHandler, delay?: number, ...args: unknown[]): number {
  if (typeof handler !== 'function') return native.setTimeout(handler, delay, ...args);
  const isReaction = !(Number(delay) > MAX_TIMEOUT_MS);
  const call = (...values: unknown[]) => handler.apply(window, values);
  return startOnce(timeouts, call, run => native.setTimeout(run, delay, ...args), isReaction);
}

function setIntervalCounted(handler: TimerHandler, delay?: number, ...args: unknown[]): number {
  if (typeof handler !== 'function') return native.setInterval(handler, delay, ...args);
  const caused = isCaused;
  const id: number = native.setInterval(
    within(caused, (...values: unknown[]) => handler.apply(window, values)),
    delay,
    ...args,
  );
  if (caused && !(Number(delay) > MAX_INTERVAL_MS)) intervals.set(id, begin({ id }));
  return id;
}

/** Either name of the platform cancels both kinds of timers. */
function clearCounted(id: number | undefined): void {
  end(timeouts, id);
  end(intervals, id);
  native.clearTimeout(id);
}

/**
 * Begins work that an input caused. The returned function ends it; the code that runs after it was caused by the input too, unless the work
 * was forgotten.
 */
function beginCaused(key: unknown): () => void {
  const of = work;
  const finish = begin(key);
  return () => {
    finish();
    if (of === work) causedByInput();
  };
}

/** The promise counts as work until it is settled. */
function counted<T>(promise: Promise<T>): Promise<T> {
  if (!isCaused) return promise;
  const done = beginCaused(promise);
  promise.then(done, done);
  return promise;
}

/** The body of a response arrives after its head. */
const BODY_READERS = ['arrayBuffer', 'blob', 'formData', 'json', 'text'] as const;
for (const name of BODY_READERS) {
  const read: () => Promise<unknown> = Response.prototype[name];
  Object.assign(Response.prototype, {
    [name](this: Response) {
      return counted(read.call(this));
    },
  });
}

const nativeSend = XMLHttpRequest.prototype.send;
function sendCounted(this: XMLHttpRequest, body?: Document | XMLHttpRequestBodyInit | null): void {
  if (isCaused) this.addEventListener('loadend', beginCaused(this), { once: true });
  nativeSend.call(this, body);
}

/** A worker need not answer a message. So many checks of the settle rule wait for it, since a busy machine delays both. */
const MAX_WORKER_CHECKS = 28;
/** The wait for the answer of each worker, and the checks that are left. */
const awaited = new Map<Worker, { readonly finish: () => void; readonly left: number }>();

class CountedWorker extends Worker {
  constructor(script: string | URL, options?: WorkerOptions) {
    super(script, options);
    // The first listener: those of the page run as caused by the input.
    for (const type of ['message', 'messageerror', 'error'])
      this.addEventListener(type, () => {
        if (this.#end()) causedByInput();
      });
  }

  override postMessage(...args: readonly unknown[]): void {
    super.postMessage(...(args as Parameters<Worker['postMessage']>));
    if (!isCaused) return;
    this.#end();
    awaited.set(this, { finish: begin({ worker: this }), left: MAX_WORKER_CHECKS });
  }

  #end(): boolean {
    awaited.get(this)?.finish();
    return awaited.delete(this);
  }
}

function countWorkerChecks(): void {
  for (const [worker, { finish, left }] of awaited)
    if (left > 0) awaited.set(worker, { finish, left: left - 1 });
    else {
      finish();
      awaited.delete(worker);
    }
}

/** An image counts until it is loaded, also if it is not in the document. A lazy one may be far off the screen. */
const nativeSource = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, 'src');
function setSourceCounted(this: HTMLImageElement, source: string): void {
  nativeSource?.set?.call(this, source);
  if (!isCaused || this.complete) return;
  // Like the browser, which begins to load then: a page may set `loading` after `src`.
  native.queueMicrotask(() => {
    if (this.loading === 'lazy') return;
    const done = beginCaused({ image: this });
    for (const type of ['load', 'error']) this.addEventListener(type, done, { capture: true, once: true });
  });
}
if (nativeSource !== undefined)
  Object.defineProperty(HTMLImageElement.prototype, 'src', { ...nativeSource, set: setSourceCounted });

/** The clipboard of the window learns the texts that a page writes. Only secure pages can. */
if (navigator.clipboard !== undefined) {
  const { writeText, write } = Clipboard.prototype;
  const copied = (text: string) => window.dispatchEvent(new CustomEvent(COPIED_EVENT, { detail: text }));
  async function writeTextNoted(this: Clipboard, text: string): Promise<void> {
    await writeText.call(this, text);
    copied(`${text}`);
  }
  async function writeNoted(this: Clipboard, items: ClipboardItems): Promise<void> {
    await write.call(this, items);
    const item = items.find(({ types }) => types.includes('text/plain'));
    if (item !== undefined) copied(await (await item.getType('text/plain')).text());
  }
  Object.assign(Clipboard.prototype, {
    writeText(this: Clipboard, text: string) {
      return counted(writeTextNoted.call(this, text));
    },
    write(this: Clipboard, items: ClipboardItems) {
      return counted(writeNoted.call(this, items));
    },
  });
}

/** The script of the settle rule must see closed shadow roots; the page itself does not. */
const nativeAttachShadow = Element.prototype.attachShadow;
function attachOpenShadow(this: Element, options: ShadowRootInit): ShadowRoot {
  const root = nativeAttachShadow.call(this, { ...options, mode: 'open' });
  if (options.mode === 'closed') Object.defineProperty(this, 'shadowRoot', { value: null });
  return root;
}

Object.assign(window, {
  setTimeout: setTimeoutCounted,
  setInterval: setIntervalCounted,
  clearTimeout: clearCounted,
  clearInterval: clearCounted,
  requestAnimationFrame: (callback: FrameRequestCallback) =>
    startOnce(frames, callback, native.requestAnimationFrame),
  cancelAnimationFrame: (id: number) => {
    end(frames, id);
    native.cancelAnimationFrame(id);
  },
  requestIdleCallback: (callback: IdleRequestCallback, options?: IdleRequestOptions) =>
    startOnce(idles, callback, run => native.requestIdleCallback(run, options)),
  cancelIdleCallback: (id: number) => {
    end(idles, id);
    native.cancelIdleCallback(id);
  },
  fetch: (input: RequestInfo | URL, init?: RequestInit) => counted(native.fetch(input, init)),
  Worker: CountedWorker,
});
XMLHttpRequest.prototype.send = sendCounted;
Element.prototype.attachShadow = attachOpenShadow;

for (const type of INPUTS)
  window.addEventListener(type, event => event.isTrusted && causedByInput(), {
    capture: true,
    passive: true,
  });
window.addEventListener(ASK_BUSY, event => {
  countWorkerChecks();
  if (work.size > 0) event.preventDefault();
});
window.addEventListener(FORGET_WORK, () => {
  work = new Set();
  awaited.clear();
});
