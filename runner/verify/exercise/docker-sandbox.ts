import { randomBytes } from 'node:crypto'
import { createDocker } from '../../sandbox/isolation/docker/docker.ts'
import { docker, dockerEnv } from '../../sandbox/isolation/docker/docker-client.ts'
import { removeContainer } from '../../sandbox/isolation/docker/run-container.ts'
import { labelArgv } from '../../sandbox/isolation/docker/sweep-containers.ts'
import { INSIDE_NODE_PROGRAM } from '../../sandbox/isolation/node-mounts.ts'
import type { GradingSandbox, SandboxedCommand } from './sandboxed-command.ts'
import { MAX_CPU_SECONDS, MAX_DATA_BYTES, MEMORY_BYTES } from './tests/test-limits.ts'

/** Docker has no private descriptors: stdin and stdout of the container become them, and its stderr the output. */
const OUTSIDE = 'exec "$@" 0<&3 1>&4 3<&- 4>&-'
const INSIDE = 'exec 3<&0 4>&1 1>&2 0</dev/null; exec "$@"'

/** A uid without an entry in any image. */
const NOBODY = '65534:65534'

/**
 * A container for each test process, from the image that agents run in: no network, nothing of this machine mounted, nothing
 * to write to. For machines whose kernel has no bubblewrap, such as Macs.
 */
export function dockerSandbox(program: string): GradingSandbox {
  let image = ''
  return {
    sandbox: 'docker',
    network: 'none',
    prepare: async () => {
      const isolation = createDocker()
      const refusal = await isolation.available()
      if (refusal === null) image = (await isolation.record()).containerImageDigest ?? ''
      return refusal
    },
    enter: (node) => enterDocker(program, image, node),
  }
}

function enterDocker(program: string, image: string, node: readonly string[]): SandboxedCommand {
  const name = `proofboard-${randomBytes(12).toString('hex')}`
  const variables = Object.entries(dockerEnv()).map(([key, value]) => `${key}=${value}`)
  const command = [
    ...['/bin/sh', '-c', OUTSIDE, 'sh', '/usr/bin/env', ...variables, program],
    ...['run', '--rm', '--interactive', '--pull=never', `--name=${name}`],
    ...labelArgv('grading'),
    ...['--network=none', '--ipc=none', '--read-only', '--cap-drop=ALL', `--user=${NOBODY}`],
    ...['--security-opt=no-new-privileges', '--hostname=grading', '--log-driver=none'],
    ...['--pids-limit=128', `--memory=${MEMORY_BYTES}`, `--memory-swap=${MEMORY_BYTES}`],
    ...[`--ulimit=cpu=${MAX_CPU_SECONDS}`, `--ulimit=data=${MAX_DATA_BYTES}`],
    ...['--ulimit=core=0', '--ulimit=fsize=0', '--workdir=/', '--entrypoint=/bin/sh'],
    ...[image, '-c', INSIDE, 'sh', INSIDE_NODE_PROGRAM, ...node],
  ]
  return {
    command,
    // Killing the docker program leaves its container, which the daemon may still be creating if it was not ready.
    release: async (wasReady) => {
      if (wasReady) void docker(['rm', '--force', '--volumes', name])
      else await removeContainer(name)
    },
  }
}
