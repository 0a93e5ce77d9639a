// The base class of the applications, and the layout of their windows.

import type { Size } from '../../../core/screen.ts';
import type { App, Dialog, ShellServices } from '../shell/app.ts';
import { type BarMenu, menuBar } from '../toolkit/bars.ts';
import { column } from '../toolkit/boxes.ts';
import type { Icon } from '../toolkit/icons.ts';
import type { Widget } from '../toolkit/widget.ts';
import type { PocketWorld } from '../world.ts';
import { DialogSlot } from './dialogs.ts';

export abstract class PocketApp implements App {
  abstract readonly id: string;
  abstract readonly name: string;
  abstract readonly icon: Icon;
  abstract readonly size: Size;
  protected readonly dialogs = new DialogSlot();

  constructor(
    protected readonly world: PocketWorld,
    protected readonly shell: ShellServices,
  ) {}

  title(): string {
    return this.name;
  }

  dialog(): Dialog | undefined {
    return this.dialogs.current;
  }

  abstract view(): Widget;
}

/** A menu bar above a column of widgets. */
export const windowLayout = (
  menus: readonly BarMenu[],
  children: readonly Widget[],
  { gap, margin }: { readonly gap: number; readonly margin: number },
): Widget => column([menuBar(menus), column(children, { gap, margin, grow: 1 })], { gap: 0 });
