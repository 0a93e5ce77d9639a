// A desktop that records its calls; its pixels change with every one but a move.

import type { Action } from '../../runtime/core/action.ts';
import type { Desktop } from '../../runtime/core/desktop.ts';
import { desktopId } from '../../runtime/core/ids.ts';
import type { Element, Screen } from '../../runtime/core/screen.ts';
import { type Verdict, verdict } from '../../runtime/core/verdict.ts';

export class CountedDesktop implements Desktop {
  readonly id = desktopId('counted');
  readonly calls: string[] = [];
  renderer?: string;
  elements: readonly Element[] = [];
  look?: () => Promise<Screen>;
  clickAgain?: (at: unknown, press: 2 | 3) => Promise<Screen>;
  #shade = 0;

  reset = async (): Promise<Screen> => this.shown('reset');
  act = async (action: Action): Promise<Screen> => this.shown(action.kind, action.kind === 'move');
  query = async (): Promise<unknown> => undefined;
  setup = async (): Promise<void> => undefined;
  judge = async (): Promise<Verdict> => verdict(1, 'everything is right');
  close = async (): Promise<void> => undefined;

  shown(call: string, isSame = false): Screen {
    this.calls.push(call);
    if (!isSame) this.#shade += 1;
    const data = new Uint8Array(16).fill(this.#shade);
    return { pixels: { layout: 'rgba', width: 2, height: 2, data }, elements: this.elements };
  }
}
