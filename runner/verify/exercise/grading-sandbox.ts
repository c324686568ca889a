import { realpathSync } from 'node:fs'
import type { VerifierSandbox } from '#lib/domain/record/index.ts'
import { allocateUser } from '../../sandbox/isolation/allocate-sandbox-uid.ts'
import { explainFailure } from '../../sandbox/isolation/bubblewrap.ts'
import { INSIDE_NODE_PROGRAM, nodeMounts } from '../../sandbox/isolation/node-mounts.ts'
import { systemMounts } from '../../sandbox/isolation/system-mounts.ts'
import { findTool } from '../../sandbox/process/find-tool.ts'
import { nodeProgram } from '../../sandbox/process/node-program.ts'
import { RUNNER_ENV } from '../../sandbox/process/own-env.ts'
import { endUser } from '../../sandbox/process/process-tree.ts'
import { dockerSandbox } from './docker-sandbox.ts'
import type { GradingSandbox, SandboxedCommand } from './sandboxed-command.ts'

const isRoot = (): boolean => process.getuid?.() === 0

/**
 * Every sandbox whose programs this machine has, the strongest first; the last one always works. With
 * `PROOFBOARD_VERIFIER_SANDBOX=optional` none of them is required.
 */
export function listGradingSandboxes(): GradingSandbox[] {
  const places: GradingSandbox[] = []
  const bwrap = findTool('bwrap')
  const setpriv = findTool('setpriv')
  const unshare = findTool('unshare')
  const isRequired = RUNNER_ENV.PROOFBOARD_VERIFIER_SANDBOX !== 'optional'
  if (process.platform === 'linux' && bwrap && (setpriv || !isRoot()))
    places.push({
      sandbox: 'bubblewrap',
      network: 'none',
      isRequired,
      enter: (node) => enterBubblewrap(bwrap, setpriv, node),
    })
  const docker = bwrap ? null : findTool('docker')
  if (docker) places.push(dockerSandbox(docker))
  if (isRoot() && setpriv) {
    const own = (network: 'none' | 'host', before: string[]): GradingSandbox => ({
      sandbox: 'own-user',
      network,
      isRequired: isRequired && network === 'host',
      enter: (node) => enterAsUser([...before, setpriv, ...DIES], node),
    })
    if (unshare) places.push(own('none', [unshare, '--net', '--ipc', '--']))
    places.push(own('host', []))
  }
  const dies = setpriv ? [setpriv, ...DIES, '--'] : []
  if (!isRoot() && unshare && process.platform === 'linux')
    places.push(
      plain('none', [unshare, '--user', '--map-current-user', '--net', '--ipc', '--', ...dies]),
    )
  places.push(plain('host', dies))
  return places
}

/** Why this machine offers no stronger sandbox, and what to do; null = it is the strongest. */
export function explainWeakerSandbox(place: GradingSandbox | undefined): string | null {
  if (place?.sandbox === 'bubblewrap' || place?.sandbox === 'docker') return null
  if (process.platform !== 'linux') return 'bubblewrap needs Linux, and docker is not installed'
  return findTool('bwrap')
    ? 'setpriv is not installed (apt-get install util-linux)'
    : 'bubblewrap is not installed (apt-get install bubblewrap)'
}

/** Why a run ends whose verifier cannot enter a sandbox, with what to do; `said`: what the sandbox's program printed. */
export function explainClosedSandbox({ sandbox }: VerifierSandbox, said: string): string {
  const why = sandbox === 'bubblewrap' ? explainFailure(said) : `it said "${said}"`
  return `the verifier’s sandbox (${sandbox}) cannot be entered: ${why}; to grade in a weaker one, set PROOFBOARD_VERIFIER_SANDBOX=optional (entries graded without a sandbox are not ranked)`
}

/** Describes in one sentence where solutions run; null for the strongest sandboxes. */
export function describeGradingSandbox(
  { sandbox, network }: VerifierSandbox,
  weakerBecause: string | null,
): string | null {
  if (sandbox === 'bubblewrap' || sandbox === 'docker') return null
  const place =
    sandbox === 'own-user' ? 'as a user of their own' : 'as your own user, without a sandbox'
  const reach = network === 'none' ? 'without network' : 'with your network'
  return `grading: solutions run ${place}, ${reach}: ${weakerBecause ?? 'no stronger sandbox works here'}`
}

const DIES = ['--pdeathsig', 'KILL']

const plain = (network: 'none' | 'host', before: string[]): GradingSandbox => ({
  sandbox: 'none',
  network,
  enter: (node) => ({ command: [...before, nodeProgram().path, ...node], release: () => {} }),
})

/**
 * Namespaces of the kernel: the system read-only, no files of ours, no network, no processes but its own. Root drops
 * to a user that owns nothing; a plain user gets a user namespace.
 */
function enterBubblewrap(
  bwrap: string,
  setpriv: string | null,
  node: readonly string[],
): SandboxedCommand {
  const user = allocateUser('verifier')
  const root = isRoot()
  const command = [
    bwrap,
    ...(root ? UNSHARED : ['--unshare-all', '--unshare-user', '--uid', '65534', '--gid', '65534']),
    ...['--cap-drop', 'ALL', '--die-with-parent', '--new-session', '--hostname', 'grading'],
    ...(root
      ? ['SETUID', 'SETGID', 'SETPCAP'].flatMap((name) => ['--cap-add', `CAP_${name}`])
      : []),
    // Made on the way to a mount they would belong to bwrap, closed to the allocated user.
    ...FOLDERS.flatMap((path) => ['--dir', path]),
    ...systemMounts(),
    ...['--dev', '/dev', '--remount-ro', '/dev'],
    ...nodeMounts().flatMap(({ host, inside }) => ['--ro-bind', host, inside]),
    ...['--remount-ro', '/'],
    ...['--clearenv', '--chdir', '/', '--'],
    ...(root && setpriv ? [setpriv, ...becoming(user.uid)] : []),
    INSIDE_NODE_PROGRAM,
    ...node,
  ]
  return { command, release: user.giveBack }
}

const FOLDERS = [
  '/etc',
  '/etc/pki',
  '/etc/pki/tls',
  '/etc/ssl',
  '/opt',
  '/opt/node',
  '/opt/node/bin',
]

const UNSHARED = ['ipc', 'pid', 'net', 'uts'].map((name) => `--unshare-${name}`)

/** Opened before the user changes: node may be in a home that no other user can enter. */
const WITH_NODE = 'exec "$@" 9<"$0"'

function enterAsUser(before: readonly string[], node: readonly string[]): SandboxedCommand {
  const { giveBack, ...user } = allocateUser('verifier')
  const words = [...before, ...becoming(user.uid), '/proc/self/fd/9', ...node]
  const command = ['/bin/sh', '-c', WITH_NODE, realpathSync(nodeProgram().path), ...words]
  // Processes that escaped still belong to that user.
  return { command, release: () => void endUser(user).finally(giveBack) }
}

const becoming = (uid: number): string[] => [
  ...['--reuid', `${uid}`, '--regid', `${uid}`, '--clear-groups', '--no-new-privs'],
  ...['--inh-caps=-all', '--bounding-set=-all', '--'],
]
