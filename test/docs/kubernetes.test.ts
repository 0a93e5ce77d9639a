// The manifests of docs/kubernetes agree with themselves, with docs/cluster.md and with the commands that they run.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import * as z from 'zod';
import { parseHostName } from '../../runtime/cli/join.ts';
import { runProgram } from '../../runtime/cli/program.ts';
import { contextWithoutProcesses } from '../cli/command-context.ts';

const read = (name: string): string => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
const GUIDE = read('cluster.md');

const name = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);
const labels = z.record(z.string(), z.string());
const metadata = z.strictObject({ name, labels });
const quantities = z.strictObject({
  cpu: z.string().regex(/^\d+m?$/),
  memory: z.string().regex(/^\d+[MG]i$/),
});
const variable = z.strictObject({
  name: z.string(),
  valueFrom: z.union([
    z.strictObject({ secretKeyRef: z.strictObject({ name, key: z.string() }) }),
    z.strictObject({ fieldRef: z.strictObject({ fieldPath: z.string() }) }),
  ]),
});
const timing = {
  initialDelaySeconds: z.int().optional(),
  periodSeconds: z.int(),
  timeoutSeconds: z.int().optional(),
};
const container = z.strictObject({
  ...{ name, image: z.string(), args: z.array(z.string()), env: z.array(variable).default([]) },
  ports: z.array(z.strictObject({ name, containerPort: z.int() })).default([]),
  readinessProbe: z.union([
    z.strictObject({ ...timing, exec: z.strictObject({ command: z.array(z.string()) }) }),
    z.strictObject({ ...timing, tcpSocket: z.strictObject({ port: name }) }),
  ]),
  resources: z.strictObject({ requests: quantities, limits: quantities }),
  securityContext: z.strictObject({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  volumeMounts: z.array(z.strictObject({ name, mountPath: z.string() })),
});
const template = z.strictObject({
  metadata: z.strictObject({ labels }),
  spec: z.strictObject({
    automountServiceAccountToken: z.literal(false),
    terminationGracePeriodSeconds: z.int(),
    securityContext: z.strictObject({
      ...{ runAsNonRoot: z.literal(true), runAsUser: z.int().min(1), runAsGroup: z.int().min(1) },
      fsGroup: z.int().optional(),
      seccompProfile: z.strictObject({ type: z.literal('RuntimeDefault') }),
    }),
    containers: z.tuple([container]),
    volumes: z
      .array(z.strictObject({ name, emptyDir: z.strictObject({ sizeLimit: z.string() }) }))
      .default([]),
  }),
});
const selector = z.strictObject({ matchLabels: labels });
const pods = { replicas: z.int().min(1), selector, template };
const claim = z.strictObject({
  metadata: z.strictObject({ name }),
  spec: z.strictObject({
    accessModes: z.tuple([z.literal('ReadWriteOnce')]),
    resources: z.strictObject({ requests: z.strictObject({ storage: z.string() }) }),
  }),
});
const deployment = z.strictObject({
  ...{ apiVersion: z.literal('apps/v1'), kind: z.literal('Deployment'), metadata },
  spec: z.strictObject({
    ...pods,
    strategy: z.strictObject({
      type: z.literal('RollingUpdate'),
      rollingUpdate: z.strictObject({ maxUnavailable: z.int(), maxSurge: z.int() }),
    }),
  }),
});
const statefulSet = z.strictObject({
  ...{ apiVersion: z.literal('apps/v1'), kind: z.literal('StatefulSet'), metadata },
  spec: z.strictObject({ ...pods, serviceName: name, volumeClaimTemplates: z.array(claim) }),
});
const service = z.strictObject({
  ...{ apiVersion: z.literal('v1'), kind: z.literal('Service'), metadata },
  spec: z.strictObject({
    selector: labels,
    ports: z.array(z.strictObject({ name, port: z.int(), targetPort: name })),
  }),
});

const documentsOf = (file: string): readonly unknown[] =>
  parseAllDocuments(read(`kubernetes/${file}`)).map(document => {
    expect(document.errors).toEqual([]);
    return document.toJS();
  });

const HOSTS = deployment.parse(documentsOf('hosts.yaml')[0]);
const [SERVICE, BROKER] = z.tuple([service, statefulSet]).parse(documentsOf('broker.yaml'));

test.each([
  ['hosts.yaml', HOSTS.spec, []],
  ['broker.yaml', BROKER.spec, BROKER.spec.volumeClaimTemplates.map(each => each.metadata)],
] as const)('%s: selectors find the pods, and mounts their volumes', (_, { selector, template }, claims) => {
  const { containers, volumes } = template.spec;
  expect(template.metadata.labels).toMatchObject(selector.matchLabels);
  const known = [...volumes, ...claims].map(volume => volume.name);
  for (const mount of containers[0].volumeMounts) expect(known).toContain(mount.name);
});

test.each([
  ['hosts.yaml', HOSTS.spec],
  ['broker.yaml', BROKER.spec],
])('%s: the command exists with all of its options', async (_, { template }) => {
  const [command = '', ...args] = template.spec.containers[0].args;
  const { context, output } = contextWithoutProcesses();
  expect(await runProgram(context, [command, '--help'])).toBe(0);
  const options = args.filter(each => each.startsWith('--'));
  expect(options.length).toBeGreaterThan(0);
  for (const option of options) expect(output.text).toContain(`${option} <`);
});

test('a host has its address from the secret of the guide, and the name of its pod fits', () => {
  const { args, env } = HOSTS.spec.template.spec.containers[0];
  for (const [, variable] of args.join(' ').matchAll(/\$\((\w+)\)/g))
    expect(env.map(each => each.name)).toContain(variable);
  const secrets = env.flatMap(({ valueFrom }) =>
    'secretKeyRef' in valueFrom ? [valueFrom.secretKeyRef] : [],
  );
  expect(secrets).toHaveLength(1);
  for (const { name: secret, key } of secrets)
    expect(GUIDE).toContain(`kubectl create secret generic ${secret} --from-literal=${key}=`);
  // Kubernetes adds the hash of the template and of the pod.
  expect(() => parseHostName(`${HOSTS.metadata.name}-7d9c5b8f6d-x2x9q`)).not.toThrow();
});

test('the Service leads to the port where the broker listens, under a name of its certificate', () => {
  const { args, ports, readinessProbe } = BROKER.spec.template.spec.containers[0];
  expect(BROKER.spec.template.metadata.labels).toMatchObject(SERVICE.spec.selector);
  expect(BROKER.spec.serviceName).toBe(SERVICE.metadata.name);
  const [port] = ports;
  expect(SERVICE.spec.ports).toMatchObject([{ targetPort: port?.name, port: port?.containerPort }]);
  expect(readinessProbe).toMatchObject({ tcpSocket: { port: port?.name } });
  const optionOf = (option: string) => args[args.indexOf(option) + 1] ?? '';
  expect(optionOf('--listen')).toBe(`0.0.0.0:${port?.containerPort}`);
  expect(optionOf('--names').split(',')).toContain(SERVICE.metadata.name);
  expect(GUIDE).toContain(`tls://${SERVICE.metadata.name}:${port?.containerPort}`);
});

test('the probe of a host finds the process that plays, and not itself', () => {
  const { readinessProbe } = HOSTS.spec.template.spec.containers[0];
  const command = 'exec' in readinessProbe ? (readinessProbe.exec.command.at(-1) ?? '') : '';
  const [, pattern = ''] = /'([^']+)'/.exec(command) ?? [];
  expect('node\0/dartboard/dist/host.js').toMatch(new RegExp(pattern));
  expect('node\0/dartboard/dist/main.js\0join').not.toMatch(new RegExp(pattern));
  expect(command).not.toMatch(new RegExp(pattern));
});
