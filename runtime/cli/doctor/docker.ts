// Checks the Docker engine and its image. Only Docker desktops need them; if dartboard.json asks for Docker desktops, all its engines
// are checked.

import { failureOf } from '../../core/failure.ts';
import { type Finding, ok, problem, warning } from '../../core/finding.ts';
import { type Leftovers, leftoversText } from '../../environments/docker/container-labels.ts';
import type { EngineReport } from '../../environments/docker/open-docker.ts';
import type { EngineHere } from '../../server/desktops/kinds.ts';

const NAME = 'Docker';
const NONE_NEEDED = 'The built-in desktop needs no Docker.';

/** `isNamed`: the environment names an engine. `look` rejects if no engine answers. `clean` removes leftover containers. */
export async function docker(
  isNamed: boolean,
  look: () => Promise<EngineHere>,
  clean: () => Promise<Leftovers>,
): Promise<Finding> {
  try {
    const { where, version, tag, isThere } = await look();
    const image = isThere
      ? `it has the image ${tag}`
      : `it has no desktop image yet ('dartboard docker build' builds one)`;
    const engine = `the engine at ${where} answers (version ${version})`;
    return ok(NAME, [engine, image, ...leftoversText(await clean())].join('; '));
  } catch (error) {
    if (isMissing(error) && !isNamed) return ok(NAME, 'no engine found; the built-in desktop needs none');
    const { thing, message } = failureOf(error, 'provider', 'engine');
    const remedy = isNamed
      ? `Start the engine, or correct DOCKER_HOST or DOCKER_CONTEXT, or 'dartboard.docker.hosts' in VS Code. ${NONE_NEEDED}`
      : NONE_NEEDED;
    return warning(NAME, `${thing}: ${message}`, remedy);
  }
}

/** Checks every engine of the settings. A run works with the engines that answer. */
export async function engines(looks: readonly Promise<EngineReport>[]): Promise<Finding> {
  const ends = await Promise.allSettled(looks);
  const reports = ends.map(end => {
    if (end.status === 'fulfilled') return found(end.value);
    const { thing, message } = failureOf(end.reason, 'provider', 'engine');
    return `${thing}: ${message.replace(/\.$/, '')}`;
  });
  const failures = ends.filter(({ status }) => status === 'rejected').length;
  if (failures === 0) return ok(NAME, reports.join('; '));
  const finding = failures === ends.length ? problem : warning;
  return finding(
    NAME,
    reports.join('; '),
    "Repair the engine, or correct environments.docker in dartboard.json or 'dartboard.docker.hosts' in VS Code.",
  );
}

function found({ where, version, image, limitsProcessors, leftovers }: EngineReport): string {
  const share = limitsProcessors ? '' : ', but cannot limit processors: its desktops compete for them';
  const engine = `the engine at ${where} answers (version ${version}) and has the image ${image}${share}`;
  return [engine, ...leftoversText(leftovers)].join('; ');
}

/** No socket: no engine is installed on this machine. */
const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && error.code === 'ENOENT') || (error.cause !== undefined && isMissing(error.cause)));
