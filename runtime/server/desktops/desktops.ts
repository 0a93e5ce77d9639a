// What a daemon can tell about desktops: how those of the run that trains look, and which kinds can be had here.

import type { RunId } from '../../core/ids.ts';
import { actionInWords } from '../../inference/action-words.ts';
import type { DesktopsUpdate, DesktopView, KindOffer } from '../../protocol/daemon/desktops.ts';
import type { Found, Look } from '../../run/desktop-viewers.ts';

export interface Desktops {
  look(look: Look): Promise<Shown>;
  kinds(): Promise<readonly KindOffer[]>;
}

/** What a client is answered, and the bytes that go with it. */
export interface Shown {
  readonly result: DesktopsUpdate;
  readonly bytes: Uint8Array;
}

/** Whoever has desktops to look at just now. */
export interface Looking {
  readonly run: RunId;
  look(look: Look): Promise<Found>;
}

export async function lookAt(looking: Looking | undefined, look: Look): Promise<Shown> {
  if (looking === undefined) return { result: { after: look.after, views: [] }, bytes: new Uint8Array() };
  const { after, views } = await looking.look(look);
  const parts: Uint8Array[] = [];
  let from = 0;
  const shown = views.map(({ desktop, at, use, doing, picture, screen }): DesktopView => {
    const length = picture?.length ?? 0;
    if (picture !== undefined) parts.push(picture);
    const place = { from, length };
    from += length;
    return {
      ...{ desktop, at, use },
      ...(doing !== undefined && {
        doing: {
          ...doing,
          ...(doing.action !== undefined && { says: actionInWords(doing.action, placeOf) }),
        },
      }),
      ...(screen !== undefined && { picture: { ...place, ...screen } }),
    };
  });
  return { result: { run: looking.run, after, views: shown }, bytes: Buffer.concat(parts) };
}

/** What was meant is not told: it is to be seen. */
const placeOf = (): string => 'here';
