// The desktops of the run that trains, as clients see them, and the kinds that are available on this machine.

import type { RunId } from '../../core/ids.ts';
import { actionInWords } from '../../inference/action-words.ts';
import type { DesktopsUpdate, DesktopView, KindOffer } from '../../protocol/daemon/desktops.ts';
import type { HostState } from '../../protocol/daemon/hosts.ts';
import type { DesktopViews, LookRequest } from '../../run/desktop-viewers.ts';

export interface Desktops {
  look(look: LookRequest): Promise<DesktopsReply>;
  kinds(): Promise<readonly KindOffer[]>;
}

/** The reply to a client, and the bytes of its pictures. */
export interface DesktopsReply {
  readonly result: DesktopsUpdate;
  readonly bytes: Uint8Array;
}

/** A run with desktops. */
export interface DesktopSource {
  readonly run: RunId;
  look(look: LookRequest): Promise<DesktopViews>;
  /** Undefined for a run on one machine. */
  hosts(): readonly HostState[] | undefined;
}

export async function lookAt(source: DesktopSource | undefined, look: LookRequest): Promise<DesktopsReply> {
  if (source === undefined) return { result: { after: look.after, views: [] }, bytes: new Uint8Array() };
  const { after, views } = await source.look(look);
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
  const hosts = source.hosts();
  const result = { run: source.run, after, ...(hosts && { hosts: [...hosts] }), views: shown };
  return { result, bytes: Buffer.concat(parts) };
}

/** The picture shows the target, so the text does not name it. */
const placeOf = (): string => 'here';
