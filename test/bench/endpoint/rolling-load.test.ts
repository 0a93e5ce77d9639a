// What the rolling update benchmark counts: wrong versions are found, and the figures are those of the worse way.

import { describe, expect, test } from 'vitest';
import { rollingFigures } from '../../../runtime/bench/endpoint/endpoint.ts';
import {
  isRightVersion,
  type MeasuredRolling,
  PARTIAL_LOAD,
} from '../../../runtime/bench/endpoint/rolling-load.ts';
import { replyJson } from '../../../runtime/bench/endpoint/wire.ts';
import { PAGES } from '../../../runtime/bench/results/pages.ts';
import { version } from '../../../runtime/core/ids.ts';
import { readReply } from '../../../runtime/endpoints/reply.ts';
import { parseWireJson, wireReply } from '../../../runtime/endpoints/wire-reply.ts';

const HONEST = { id: 's0-1', model: 'run-v3', version: '/weights/3', grammar: 'ui-tars' } as const;

function replied(changes: { readonly version?: string; readonly endVersion?: string } = {}) {
  const json = replyJson({ ...HONEST, ...changes });
  const { model, reportedVersion, ...rest } = readReply(wireReply.parse(parseWireJson(json)), {
    ...{ model: 'run-v3', topCount: 5 },
  });
  const reported = reportedVersion === undefined ? {} : { reportedVersion };
  const served = { endpoint: 'e', model: model ?? '', latencyMs: 1, retries: [], ...reported };
  return { ...rest, served, version: version(3) };
}

describe('a reply of a rolling update', () => {
  test('is right if the weights of its version decided', () => {
    expect(isRightVersion(replied())).toBe(true);
  });

  test('is wrong with other weights, with two versions, or without a version', () => {
    expect(isRightVersion(replied({ version: '/weights/2' }))).toBe(false);
    expect(isRightVersion(replied({ endVersion: '/weights/4' }))).toBe(false);
    const { version: _, ...without } = replied();
    expect(isRightVersion(without)).toBe(false);
  });
});

describe('the figures', () => {
  const measured = (changes: Partial<MeasuredRolling>): MeasuredRolling => ({
    ...{ way: 'adapter', load: PARTIAL_LOAD, requests: 100, lost: 0, wrongVersions: 0 },
    ...{
      calmPerSecond: 10,
      updatingPerSecond: 10,
      afterPerSecond: 10,
      servedShare: 1,
      updateSeconds: 4,
      behind: 0,
      failures: [],
    },
    ...changes,
  });

  test('sum the losses, and have the share of the worse way', () => {
    const figures = rollingFigures(
      [measured({ servedShare: 0.99 }), measured({ way: 'pause', servedShare: 0.95, lost: 1 })],
      [
        measured({ servedShare: 0.98 }),
        measured({ way: 'pause', servedShare: 0.75, wrongVersions: 2, behind: 1 }),
      ],
    );
    expect(figures).toEqual({
      ...{ rolling_update_lost: 1, version_errors: 3, rolling_update_served_share: 0.95 },
      rolling_update_served_share_adapter_full: 0.98,
      rolling_update_served_share_pause_full: 0.75,
      rolling_update_requests: 400,
    });
  });

  test('are those of the page', () => {
    const listed = PAGES.find(({ name }) => name === 'endpoint')?.figures.map(({ name }) => name) ?? [];
    for (const name of Object.keys(rollingFigures([], []))) expect(listed).toContain(name);
  });
});
