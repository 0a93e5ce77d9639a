// Checks the servers of an agent: whether clicks land, what the server reports about its replies, its limits and its speed. The result
// names what to do about each problem, and what the agent may be used for.

import type { Profile } from '../agents/model/profile.ts';
import { PROFILES } from '../agents/model/profiles/index.ts';
import type { AgentSettings } from '../config/sections/agents.ts';
import { type Random, seeded } from '../core/rng.ts';
import { dialectOf } from '../endpoints/capabilities.ts';
import { EndpointError } from '../endpoints/failure.ts';
import {
  type ModelAgentContext,
  modeOf,
  type OpenModelAgent,
  openModelAgent,
  TIMEOUT_SECONDS,
} from '../run/model-agent.ts';
import { causeOf } from './cause.ts';
import { clickFindings, clickRows } from './click-findings.ts';
import { type ClickSample, playClicks } from './clicks.ts';
import { imageFinding, measureImageLimit } from './image-limit.ts';
import { logProbabilityFinding, measureLogProbabilities, type WireOptions } from './log-probabilities.ts';
import { defectFindings, formatFinding, lengthFinding } from './reply-findings.ts';
import { caution, type EndpointFinding, type EndpointReport, fine, problem, verdictsOf } from './report.ts';
import { listScreens, pictureScreens } from './screens.ts';
import { aboutServer, aboutTraining } from './server-findings.ts';
import { measureSpeed, speedFinding } from './speed.ts';

export interface EndpointCheckContext extends ModelAgentContext {
  /** Called when a part begins, and after each of its requests. */
  readonly progress?: (text: string) => void;
}

/** A report per server, in order. Rejects for settings that cannot work, such as a missing key. */
export async function checkEndpoint(
  name: string,
  settings: AgentSettings,
  context: EndpointCheckContext,
): Promise<readonly EndpointReport[]> {
  const { endpoints, ...rest } = settings;
  if (endpoints === undefined) return [await checkServer(name, rest, context)];
  const reports: EndpointReport[] = [];
  for (const [index, endpoint] of endpoints.entries())
    reports.push(
      await checkServer(
        endpoints.length === 1 ? name : `${name}.${index + 1}`,
        { ...rest, endpoints: [endpoint] },
        context,
      ),
    );
  return reports;
}

/** The router of a run is more patient: a check must end. */
const RETRIES = 2;
const OUTAGE_TIMEOUT_MS = 30_000;
/** The number of turns at a time. */
const CONCURRENCY = 4;
const SEED = 'endpoint-check';

async function checkServer(
  name: string,
  settings: AgentSettings,
  context: EndpointCheckContext,
): Promise<EndpointReport> {
  const { profile, limits, endpoints: [endpoint] = [] } = settings;
  const { url = settings.url ?? '', model = settings.model ?? '' } = endpoint ?? {};
  const about = { name, url, model, profile, mode: modeOf(name, settings) };
  const retries = Math.min(limits?.retries ?? RETRIES, RETRIES);
  let open: OpenModelAgent;
  try {
    context.progress?.('asks what the server accepts');
    open = await openModelAgent(
      name,
      { ...settings, limits: { ...limits, retries } },
      { outageTimeoutMs: OUTAGE_TIMEOUT_MS, ...context },
    );
  } catch (error) {
    if (!(error instanceof EndpointError)) throw error;
    const findings = [connectionFinding(error)];
    return { ...about, findings, clicks: [], uses: verdictsOf(findings, undefined) };
  }
  try {
    return { ...about, ...(await checkOpened(checkedAgent(open, settings, context))) };
  } finally {
    open.close();
  }
}

function connectionFinding(error: EndpointError): EndpointFinding {
  // The message ends with its remedy.
  const { message } = error.failure;
  const end = message.lastIndexOf('. ');
  const remedy =
    error.reason === 'bad-request' || end < 0 ? 'Check the URL and the model.' : message.slice(end + 2);
  return problem('Connection', error.reported ?? message.slice(0, end < 0 ? undefined : end), remedy);
}

/** The state that the parts of a check share. */
interface CheckedAgent {
  readonly open: OpenModelAgent;
  readonly settings: AgentSettings;
  readonly profile: Profile;
  readonly sampling: Profile['sampling'];
  readonly hasImages: boolean;
  readonly random: Random;
  readonly wire: WireOptions;
  readonly progress: (text: string) => void;
}

function checkedAgent(
  open: OpenModelAgent,
  settings: AgentSettings,
  context: EndpointCheckContext,
): CheckedAgent {
  const { clock, signal = new AbortController().signal, progress = () => undefined } = context;
  const { capabilities, mode, servers, agent } = open;
  const client = servers[0]?.client;
  if (client === undefined)
    throw new RangeError(`The agent '${agent.id}' has no server. Add 'url' to its settings.`);
  const profile = PROFILES[settings.profile];
  return {
    ...{ open, settings, profile, progress },
    sampling: { ...profile.sampling, ...settings.sampling },
    hasImages: mode !== 'a11y_tree',
    random: seeded(SEED),
    wire: { client, model: capabilities.model, dialect: dialectOf(capabilities), clock, signal },
  };
}

async function checkOpened(
  checked: CheckedAgent,
): Promise<Pick<EndpointReport, 'capabilities' | 'findings' | 'clicks' | 'uses'>> {
  const { capabilities, uses } = checked.open;
  const images = await checkImages(checked);
  const samples = await click(checked);
  const logProbabilities = await checkLogProbabilities(checked);
  const speed = await checkSpeed(checked, samples);
  const findings = [
    ...aboutServer(capabilities),
    ...images,
    ...aboutClicks(checked, samples),
    ...defectFindings(samples, capabilities.defects, capabilities.answeredBy),
    ...[logProbabilities, ...aboutTraining(capabilities), speed],
  ];
  const clicks = clickRows(samples, checked.hasImages);
  return { capabilities, findings, clicks, uses: verdictsOf(findings, uses) };
}

const rejectsImages = ({ hasImages, open }: CheckedAgent): boolean =>
  hasImages && open.capabilities.images === false;

async function checkImages(checked: CheckedAgent): Promise<readonly EndpointFinding[]> {
  const { hasImages, wire, profile, sampling, random, progress } = checked;
  if (!hasImages) return [];
  // The capabilities exclude every use.
  if (rejectsImages(checked))
    return [
      problem(
        'Images',
        'the server rejects them',
        "Serve a model with vision, or use the mode 'a11y_tree'.",
        [],
      ),
    ];
  progress('looks for the limit of images');
  const finding = measured('Images', async () =>
    imageFinding(await measureImageLimit(wire, profile, sampling.maxTokens, random.fork('images'))),
  );
  return [await finding];
}

const isOwn = ({ open }: CheckedAgent): boolean => open.capabilities.server.kind === 'dartboard';

async function click(checked: CheckedAgent): Promise<readonly ClickSample[]> {
  const { open, settings, profile, hasImages, wire, random, progress } = checked;
  if (rejectsImages(checked) || isOwn(checked)) return [];
  const screens = (hasImages ? pictureScreens : listScreens)(random.fork('screens'));
  let played = 0;
  const report = () =>
    progress(`${hasImages ? 'clicks on targets' : 'chooses elements'}: ${played} of ${screens.length}`);
  report();
  return playClicks(screens, {
    ...{ agent: open.agent, mode: open.mode, profile, random: random.fork('turns'), signal: wire.signal },
    concurrency: Math.min(CONCURRENCY, settings.limits?.concurrency ?? CONCURRENCY),
    played: () => {
      played += 1;
      report();
    },
  });
}

function aboutClicks(checked: CheckedAgent, samples: readonly ClickSample[]): readonly EndpointFinding[] {
  const { profile, hasImages, sampling } = checked;
  if (isOwn(checked))
    return [
      fine(
        'Clicks',
        'not checked: a policy of Dartboard knows the built-in desktop alone, so evaluate it there',
      ),
    ];
  const hasReplies = samples.some(({ reply }) => reply !== undefined);
  return [
    ...clickFindings(samples, profile, hasImages),
    ...(hasReplies ? [lengthFinding(samples, sampling.maxTokens), formatFinding(samples, profile.id)] : []),
  ];
}

function checkLogProbabilities({ open, wire, sampling, progress }: CheckedAgent): Promise<EndpointFinding> {
  progress('compares log-probabilities at two temperatures');
  const { topCount, sampling: canSample } = open.capabilities;
  return measured('Log-probabilities', async () => {
    const canMeasure = canSample && topCount !== undefined && topCount > 0;
    const kind = canMeasure ? await measureLogProbabilities(wire) : 'undecided';
    return logProbabilityFinding(kind, topCount, sampling.temperature);
  });
}

function checkSpeed(
  { settings, wire, progress }: CheckedAgent,
  samples: readonly ClickSample[],
): Promise<EndpointFinding> {
  progress('measures the speed');
  const timeoutMs = 1000 * (settings.limits?.timeoutSeconds ?? TIMEOUT_SECONDS);
  return measured('Speed', async () => speedFinding(await measureSpeed(wire), samples, timeoutMs));
}

/** A measurement whose requests fail is a finding. */
async function measured(name: string, work: () => Promise<EndpointFinding>): Promise<EndpointFinding> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof EndpointError)) throw error;
    return caution(
      name,
      `not measured: ${causeOf(error)}`,
      'Check again later. If this repeats, read the log of the server.',
    );
  }
}
