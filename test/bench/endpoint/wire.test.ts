// The replies of the benchmark's server, read by the product: the profiles find a click, and each wrong report has its name.

import { describe, expect, test } from 'vitest';
import { PROFILES } from '../../../runtime/agents/model/profiles/index.ts';
import { drawFault, FAULTS } from '../../../runtime/bench/endpoint/faults.ts';
import { MEASURED } from '../../../runtime/bench/endpoint/overhead.ts';
import { MISREPORT_NAMES, MISREPORTS, replyId, replyJson } from '../../../runtime/bench/endpoint/wire.ts';
import { readReply } from '../../../runtime/endpoints/reply.ts';
import { parseWireJson, wireReply } from '../../../runtime/endpoints/wire-reply.ts';
import { frameOf } from '../../agents/model/profiles/setting.ts';

const HONEST = { id: 'g0-12', model: 'policy', version: 'v3', grammar: 'ui-tars' } as const;
const read = (json: string) =>
  readReply(wireReply.parse(parseWireJson(json)), { model: 'policy', topCount: 5 });

describe('a reply', () => {
  test.each(MEASURED)('is a click for the profile %s, with its number', profile => {
    const grammar = profile.startsWith('qwen') ? 'computer-use' : 'ui-tars';
    const { raw, defects, tokens, reportedVersion } = read(replyJson({ ...HONEST, grammar }));
    expect(
      PROFILES[profile].read(raw, frameOf(PROFILES[profile], { width: 1920, height: 1080 })),
    ).toMatchObject({ kind: 'actions', actions: [{ action: { kind: 'click' } }] });
    expect(replyId(raw)).toBe('g0-12');
    expect({ defects, reportedVersion }).toEqual({ defects: [], reportedVersion: 'v3' });
    expect(tokens.length).toBeGreaterThan(50);
  });

  test.each(MISREPORT_NAMES)('with %s has exactly that defect', misreport => {
    expect(read(replyJson({ ...HONEST, misreport })).defects).toEqual([MISREPORTS[misreport]]);
  });
});

test('faults occur with their shares', () => {
  const shares = { timeout: 0.25, 'cut-off': 0.25 };
  const drawn = Array.from({ length: 100 }, (_, index) => drawFault(shares, index / 100));
  for (const fault of FAULTS)
    expect(drawn.filter(each => each === fault)).toHaveLength(100 * (fault in shares ? 0.25 : 0));
});
