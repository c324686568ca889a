import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { npmInstall } from '#runner/subjects/agents/npm-install.ts'
import { PROJECT_ROOT } from '#runner/suites/project-paths.ts'

/** The version of Bun that the runner is tested with. */
export const BUN_VERSION = '1.4.5'

/** A hundred megabytes each that only some tests need, so they are not dependencies. */
const CACHE = join(PROJECT_ROOT, '.cache')

export type InstalledRuntime = { ok: true; program: string } | { ok: false; reason: string }

/**
 * Installs Bun from npm. Its install script would move the program out of the package of this architecture; without the
 * script, it stays there.
 */
export function installBun(): Promise<InstalledRuntime> {
  const { platform, arch } = process
  const build = `bun-${platform}-${arch === 'arm64' ? 'aarch64' : arch}`
  return installRuntime({
    name: 'bun',
    npm: 'bun',
    version: BUN_VERSION,
    prints: BUN_VERSION,
    programs: [
      'bun/bin/bun.exe',
      ...[build, `${build}-baseline`, `${build}-musl`, `${build}-musl-baseline`].map(
        (one) => `@oven/${one}/bin/bun`,
      ),
    ],
  })
}

/** Installs Node from npm: the package for this machine, which the package `node` would choose with a script. */
export function installNode(version: string): Promise<InstalledRuntime> {
  const name = `${process.platform}-${process.arch}`
  const npm = name === 'darwin-arm64' ? `node-bin-${name}` : `node-${name}`
  return installRuntime({
    name: 'node',
    npm,
    version,
    prints: `v${version}`,
    programs: [`${npm}/bin/node`],
  })
}

type Runtime = {
  name: string
  /** Name of the npm package. */
  npm: string
  version: string
  /** Expected output of `--version`. */
  prints: string
  /** Possible paths of the program, below `node_modules`. */
  programs: readonly string[]
}

/** Installs a runtime atomically into its own folder; a second call finds it. */
async function installRuntime(runtime: Runtime): Promise<InstalledRuntime> {
  const { name, npm, version } = runtime
  const folder = join(CACHE, name, version)
  if (!existsSync(folder)) {
    await mkdir(join(CACHE, name), { recursive: true })
    const draft = await mkdtemp(join(CACHE, name, '.draft-'))
    try {
      const failure = await npmInstall(draft, `${npm}@${version}`, process.env)
      if (failure !== null) return { ok: false, reason: failure }
      if (findProgram(draft, runtime) === null)
        return { ok: false, reason: 'it does not start here' }
      await rename(draft, folder).catch((error: unknown) => {
        // Another process was faster; its copy is identical.
        if (!existsSync(folder)) throw error
      })
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
  }
  const program = findProgram(folder, runtime)
  return program === null ? { ok: false, reason: 'it does not start here' } : { ok: true, program }
}

function findProgram(folder: string, { programs, prints }: Runtime): string | null {
  const paths = programs.map((path) => join(folder, 'node_modules', path))
  return paths.filter((path) => existsSync(path)).find((path) => answers(path, prints)) ?? null
}

function answers(program: string, version: string): boolean {
  const { status, stdout } = spawnSync(program, ['--version'], {
    encoding: 'utf8',
    timeout: 20_000,
  })
  return status === 0 && stdout.trim() === version
}
