// A guest as a machine: the set-up steps and getters of OSWorld's tasks over its HTTP API.

import { quoted } from '../../agents/codecs/quoted-text.ts';
import { BoundaryError } from '../../core/failure.ts';
import type { Size } from '../../core/screen.ts';
import { OversizedReply } from '../bounded-body.ts';
import type { TaskCommand } from '../command.ts';
import type { CommandOutput, Machine, MachineBrowser, WindowName } from '../osworld/machine.ts';
import type { GuestApi, GuestBody, GuestReply } from './guest-api.ts';
import { isProxyError } from './is-unreachable.ts';

export interface GuestParts {
  readonly api: GuestApi;
  readonly browser: MachineBrowser;
  /** The status page of VLC's web interface. */
  readonly vlc: () => Promise<Uint8Array | undefined>;
}

const NOT_FOUND = 404;

export class GuestMachine implements Machine {
  readonly browser: MachineBrowser;
  readonly #api: GuestApi;
  readonly #vlc: GuestParts['vlc'];

  constructor({ api, browser, vlc }: GuestParts) {
    this.#api = api;
    this.browser = browser;
    this.#vlc = vlc;
  }

  async run(command: TaskCommand): Promise<CommandOutput> {
    const reply = await this.#api.act('/execute', { json: commandOf(command) });
    // The guest answers so if the program is missing, or does not end within two minutes.
    if (isRefused(reply)) return { output: '', errors: bodyOf(reply), code: 1, isRefused: true };
    const { output, error, returncode } = this.#api.json('/execute', reply);
    return {
      output: textOf(output),
      errors: textOf(error),
      code: typeof returncode === 'number' ? returncode : 0,
    };
  }

  async launch(command: TaskCommand): Promise<void> {
    await this.#done('/setup/launch', { json: commandOf(command) });
  }

  async open(path: string): Promise<void> {
    await this.#done('/setup/open_file', { json: { path } });
  }

  readFile(path: string): Promise<Uint8Array | undefined> {
    return this.#bytes('/file', { file_path: path });
  }

  writeFile(path: string, bytes: Uint8Array): Promise<void> {
    return this.#done('/setup/upload', { path, bytes });
  }

  async directory(path: string): Promise<unknown> {
    // OSWorld's server expands the home folder in the paths of files, but not here.
    const full = /^~(\/|$)/.test(path) ? `${await this.#home()}${path.slice(1)}` : path;
    const reply = await this.#api.read('/list_directory', { json: { path: full } });
    // The agent may have removed the folder, or never made it.
    if (isRefused(reply)) return null;
    return this.#api.json('/list_directory', reply)['directory_tree'];
  }

  async #home(): Promise<string> {
    const { output } = await this.run({ command: 'printf %s "$HOME"', shell: true });
    if (!output.startsWith('/')) throw this.#api.failure('/execute', `names no home folder but '${output}'`);
    return output;
  }

  activateWindow(window: WindowName): Promise<void> {
    return this.#changeWindow('/setup/activate_window', window);
  }

  closeWindow(window: WindowName): Promise<void> {
    return this.#changeWindow('/setup/close_window', window);
  }

  /** A window that is not there is no error in OSWorld. */
  async #changeWindow(path: string, window: WindowName): Promise<void> {
    const reply = await this.#api.act(path, { json: windowOf(window) });
    if (reply.status >= 300 && !isRefused(reply)) throw this.#failure(path, reply);
  }

  async changeWallpaper(path: string): Promise<void> {
    await this.#done('/setup/change_wallpaper', { json: { path } });
  }

  wallpaper(): Promise<Uint8Array | undefined> {
    return this.#bytes('/wallpaper', {});
  }

  async screenSize(): Promise<Size> {
    return this.#size('/screen_size', await this.#api.read('/screen_size', { form: {} }));
  }

  async windowSize(className: string): Promise<Size | undefined> {
    const reply = await this.#api.read('/window_size', { form: { app_class_name: className } });
    return reply.status === NOT_FOUND ? undefined : this.#size('/window_size', reply);
  }

  async accessibilityTree(): Promise<string> {
    return textOf(this.#api.json('/accessibility', await this.#api.read('/accessibility'))['AT']);
  }

  async terminalText(): Promise<string | null> {
    const { output } = this.#api.json('/terminal', await this.#api.read('/terminal'));
    return typeof output === 'string' ? output : null;
  }

  async typeCommand(keys: readonly string[], text: string): Promise<void> {
    const lines = [
      'import pyautogui, time',
      `pyautogui.hotkey(${keys.map(quoted).join(', ')})`,
      'time.sleep(0.5)',
      `pyautogui.write(${quoted(text)})`,
      "pyautogui.press('enter')",
    ];
    await this.run({ command: ['python', '-c', lines.join('; ')] });
  }

  vlcStatus(): Promise<Uint8Array | undefined> {
    return this.#vlc();
  }

  async #done(path: string, body: GuestBody): Promise<void> {
    const reply = await this.#api.act(path, body);
    if (reply.status >= 300) throw this.#failure(path, reply);
  }

  /** Undefined if there is no such file: a folder, or a file that the guest may not read, is no file either. */
  async #bytes(path: string, form: Readonly<Record<string, string>>): Promise<Uint8Array | undefined> {
    const reply = await this.#api.read(path, { form }).catch(oversizedAsMissing);
    if (reply === undefined || isRefused(reply)) return undefined;
    if (reply.status >= 300) throw this.#failure(path, reply);
    return reply.bytes;
  }

  #size(path: string, reply: GuestReply): Size {
    const { width, height } = this.#api.json(path, reply);
    if (isSide(width) && isSide(height)) return { width, height };
    throw this.#api.failure(
      path,
      `has no size of a screen, but ${JSON.stringify({ width, height }).slice(0, 100)}`,
    );
  }

  /** A guest that refuses works: the task asks for what it cannot do. */
  #failure(path: string, reply: GuestReply): BoundaryError {
    const boundary = isRefused(reply) ? 'task' : 'environment';
    return this.#api.failure(path, `answered ${reply.status} ${bodyOf(reply)}`, boundary);
  }
}

/** By the guest itself, and not by a proxy before it. */
const isRefused = ({ status }: GuestReply): boolean => status >= 400 && !isProxyError(status);

/** The agent made it: it scores like a file that is missing. */
const oversizedAsMissing = (error: unknown): undefined => {
  if (!(error instanceof BoundaryError && error.cause instanceof OversizedReply)) throw error;
};

const bodyOf = ({ bytes }: GuestReply): string => new TextDecoder().decode(bytes).slice(0, 300);

/** OSWorld splits a command that is a text, unless a shell reads it. */
const commandOf = ({ command, shell = false }: TaskCommand) => ({ command, shell });

const windowOf = ({ name, strict, byClass }: WindowName) => ({
  ...{ window_name: name, strict, by_class: byClass },
});

const isSide = (value: unknown): value is number => Number.isInteger(value) && Number(value) >= 0;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
