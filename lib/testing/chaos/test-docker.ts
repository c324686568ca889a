import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lastJson, startProofboard } from '../factories/proofboard-command.ts'

export type TestDocker = {
  env: Record<string, string>
  /** The image that `proofboard image build` made. */
  image: string
  /** What `proofboard doctor` said of docker before there was an image. */
  doctorBefore: string
  /** One docker command on this daemon; its stdout. */
  docker: (...args: string[]) => string
  stop: () => Promise<void>
}

// dockerd ends with this shell, and this shell with us, however we end.
const KEEP = 'dockerd "$@" >"$0" 2>&1 & pid=$!; cat >/dev/null; kill $pid; wait $pid'

/** A Docker daemon for the test, socket and data in a temporary folder, or a sentence that says what is missing. */
export async function startTestDocker(): Promise<TestDocker | string> {
  if (process.getuid?.() !== 0) return 'a Docker daemon for the tests needs root'
  for (const tool of ['docker', 'dockerd', 'debootstrap'])
    if (!isThere(tool)) return `${tool} is not installed (apt-get install docker.io debootstrap)`
  const folder = mkdtempSync(join(tmpdir(), 'proofboard-docker-'))
  const env = { DOCKER_HOST: `unix://${folder}/docker.sock` }
  const keeper = startDaemon(folder, env.DOCKER_HOST)
  const stop = async () => {
    const ended = new Promise((resolve) => keeper.once('exit', resolve))
    keeper.stdin?.end()
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  const docker = (...args: string[]) =>
    execFileSync('docker', args, {
      env: { ...process.env, ...env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  const refusal = await answers(() => docker('version'), join(folder, 'log'))
  if (refusal !== null) {
    await stop()
    return refusal
  }
  // Shared by the tests, because it takes a minute.
  const cache = join(homedir(), '.cache', 'proofboard-test')
  mkdirSync(cache, { recursive: true })
  const doctor = await startProofboard(cache, ['doctor', '--json'], env).ended
  const build = ['image', 'build', '--base', 'debootstrap', '--json']
  const built = await startProofboard(cache, build, env).ended
  if (built.code !== 0) {
    await stop()
    return `no image: ${built.stderr.trim().split('\n').at(-1)}`
  }
  return {
    env,
    image: String(lastJson(built.stdout).digest),
    doctorBefore: doctor.stdout,
    docker,
    stop,
  }
}

function isThere(tool: string): boolean {
  try {
    execFileSync('/bin/sh', ['-c', 'command -v "$0"', tool], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function startDaemon(folder: string, host: string): ChildProcess {
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
  return spawn('/bin/sh', ['-c', KEEP, join(folder, 'log'), ...options], {
    stdio: ['pipe', 'ignore', 'ignore'],
  })
}

async function answers(ask: () => void, log: string): Promise<string | null> {
  for (let round = 0; round < 80; round++) {
    await sleep(250)
    try {
      ask()
      return null
    } catch {
      // not yet
    }
  }
  const said = readFileSync(log, 'utf8').trim().split('\n').at(-1)
  return `dockerd does not start on this machine: ${said}`
}
