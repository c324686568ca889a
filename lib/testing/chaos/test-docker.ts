import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LABEL } from '#runner/sandbox/isolation/docker/docker-client.ts'
import { runnerLabels } from '#runner/sandbox/isolation/docker/sweep-containers.ts'
import { lastJson, startProofboard } from '../factories/proofboard-command.ts'

/** The tag of this distribution's root file system, once `buildImage` has run. */
export const BASE_IMAGE = 'proofboard-base'

/** Cache of the tar file that all test images are based on; making it takes minutes. */
const CACHE = join(homedir(), '.cache', 'proofboard-test')

/** A Docker engine of the tests. Until `stop` it is the one that DOCKER_HOST names. */
export type TestDocker = {
  /** Runs one docker command on this engine and returns its stdout. Throws if it fails. */
  docker: (...args: string[]) => string
  /** The ids of all containers, also of those that ended, but not of networks that this process holds. */
  containers: () => string[]
  /** Runs `proofboard image build` with this distribution's packages and returns the image's digest. */
  buildImage: () => Promise<string>
  stop: () => Promise<void>
}

// The engine ends with this shell, and the shell with the test, even if that is killed.
const KEEP =
  'dockerd "$@" >"$0/log" 2>&1 & pid=$!; cat >/dev/null; kill $pid; wait $pid; umount "$0"/exec/netns/* 2>/dev/null; rm -rf "$0"'

/**
 * Starts a Docker engine with its own socket and data and no network, in a temporary folder. Returns one sentence if
 * this machine cannot.
 */
export async function startTestDocker(): Promise<TestDocker | string> {
  if (process.getuid?.() !== 0) return 'a Docker engine for the tests needs root'
  for (const tool of ['docker', 'dockerd', 'debootstrap'])
    if (!isInstalled(tool))
      return `${tool} is not installed (apt-get install docker.io debootstrap)`
  const folder = mkdtempSync(join(tmpdir(), 'proofboard-docker-'))
  const before = process.env.DOCKER_HOST
  process.env.DOCKER_HOST = `unix://${folder}/docker.sock`
  const keeper = startEngine(folder, process.env.DOCKER_HOST)
  const stop = async () => {
    const ended = new Promise((resolve) => keeper.once('exit', resolve))
    keeper.stdin?.end()
    await ended
    if (before === undefined) delete process.env.DOCKER_HOST
    else process.env.DOCKER_HOST = before
  }
  const refusal = await waitForEngine(join(folder, 'log'))
  if (refusal === null) return { docker, containers, buildImage, stop }
  await stop()
  return refusal
}

function docker(...args: string[]): string {
  return execFileSync('docker', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

function containers(): string[] {
  const labels = [LABEL.network, LABEL.runner].map((label) => `{{.Label "${label}"}}`)
  const lines = docker('ps', '-a', '--format', ['{{.ID}}', ...labels].join(' ')).split('\n')
  const held = `1 ${runnerLabels('')[LABEL.runner]}`
  return lines.flatMap((line) => {
    const [id = '', ...marks] = line.split(' ')
    return id === '' || marks.join(' ') === held ? [] : [id]
  })
}

async function buildImage(): Promise<string> {
  mkdirSync(CACHE, { recursive: true })
  const args = ['image', 'build', '--base', 'debootstrap', '--json']
  const { code, stdout, stderr } = await startProofboard(CACHE, args).ended
  if (code !== 0) throw new Error(stderr)
  return String(lastJson(stdout).digest)
}

function isInstalled(tool: string): boolean {
  try {
    execFileSync('/bin/sh', ['-c', 'command -v "$0"', tool], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function startEngine(folder: string, host: string): ChildProcess {
  writeFileSync(join(folder, 'daemon.json'), '{}')
  const options = [
    `--config-file=${folder}/daemon.json`,
    `--host=${host}`,
    `--data-root=${folder}/data`,
    `--exec-root=${folder}/exec`,
    `--pidfile=${folder}/pid`,
    '--bridge=none',
    '--iptables=false',
    '--ip6tables=false',
  ]
  return spawn('/bin/sh', ['-c', KEEP, folder, ...options], {
    stdio: ['pipe', 'ignore', 'ignore'],
  })
}

const STARTED_WITHIN_MS = 60_000

async function waitForEngine(log: string): Promise<string | null> {
  for (const until = Date.now() + STARTED_WITHIN_MS; Date.now() < until; await sleep(250)) {
    try {
      docker('version')
      return null
    } catch {
      // not yet
    }
  }
  const message = readFileSync(log, 'utf8').trim().split('\n').at(-1)
  return `dockerd does not start on this machine: ${message}`
}
