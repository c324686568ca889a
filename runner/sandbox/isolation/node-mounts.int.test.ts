import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isNight } from '#lib/testing/cases/at-night.ts'
import { PROJECT_ROOT } from '../../suites/project-paths.ts'
import { nodeMounts, nodeMountsWithNpm } from './node-mounts.ts'

const isRoot = process.getuid?.() === 0
const PLAIN = 65_533

/** Prints node's version and user inside each sandbox, or why it did not start. */
const REPORT = `
import { spawnSync } from 'node:child_process'
import { listGradingSandboxes } from '../../verify/exercise/grading-sandbox.ts'
import { bubblewrap } from './bubblewrap.ts'
const ask = ['-p', 'JSON.stringify([process.version, process.getuid()])']
const grading = listGradingSandboxes().map(({ sandbox, enter }) => {
  const { command: [program, ...args], release } = enter(ask)
  const { stdout, stderr } = spawnSync(program, args, { env: {}, cwd: '/', encoding: 'utf8' })
  release()
  return { sandbox, said: stdout === '' ? stderr : JSON.parse(stdout) }
})
process.stdout.write(JSON.stringify({ grading, agents: await bubblewrap.available() }))
`

let root: string
let entry: string
beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'proofboard-places-')))
  const folder = join(PROJECT_ROOT, 'node_modules', '.cache', 'node-places')
  entry = join(folder, 'report.mjs')
  await build({
    stdin: { contents: REPORT, resolveDir: import.meta.dirname, loader: 'ts' },
    outfile: entry,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'silent',
  })
  // A test before this one may have left a strict umask.
  chmodSync(folder, 0o755)
  chmodSync(entry, 0o644)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Installations of node by different tools, below a home folder that other users cannot enter. */
const IN_HOME = {
  nvm: '.nvm/versions/node/v20.20.2/bin/node',
  fnm: '.local/share/fnm/node-versions/v20.20.2/installation/bin/node',
  volta: '.volta/tools/image/node/20.20.2/bin/node',
  'npm’s package': 'work/node_modules/node/bin/node',
  'a home’s own bin': 'bin/node',
  '.local/bin': '.local/bin/node',
  'no bin at all': 'töols and more/node',
}
/** Installations for the whole machine. */
const ON_MACHINE = {
  'a folder below /opt': '/opt/node/bin/node',
  'a file below /opt': '/opt/node',
  'a tool cache': '/opt/hostedtoolcache/node/20.20.2/x64/bin/node',
  '/usr/local': '/usr/local/bin/node',
}

/** Root may enter every folder, so the first and last installation stand for the others, except at night. */
function installations(asRoot: boolean, all: Readonly<Record<string, string>>) {
  const listed = Object.entries(all)
  const ends = [0, listed.length - 1]
  return isNight || !asRoot ? listed : listed.filter((_, at) => ends.includes(at))
}

type Said = { grading: { sandbox: string; said: unknown }[]; agents: string | null }

/** `asRoot`: false = as an ordinary user that owns only `home`. */
function report(program: string, home: string, asRoot: boolean, around: string[] = []): Said {
  if (isRoot) spawnSync('chown', ['-R', asRoot ? '0:0' : `${PLAIN}:${PLAIN}`, home])
  const plain = ['setpriv', `--reuid=${PLAIN}`, `--regid=${PLAIN}`, '--clear-groups', '--']
  const user = isRoot && !asRoot ? plain : []
  const [first = '', ...rest] = [...user, ...around, program, entry]
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: tmpdir() }
  const { stdout, stderr } = spawnSync(first, rest, {
    env: env as unknown as NodeJS.ProcessEnv,
    encoding: 'utf8',
  })
  expect(stdout, stderr).toMatch(/^\{/)
  return JSON.parse(stdout) as Said
}

function install(path: string): string {
  mkdirSync(dirname(path), { recursive: true })
  if (existsSync(path)) return path
  try {
    linkSync(process.execPath, path)
  } catch {
    copyFileSync(process.execPath, path)
  }
  return path
}

function makeHome(name: string): string {
  const home = join(root, name)
  mkdirSync(home, { recursive: true })
  chmodSync(home, 0o700)
  chmodSync(root, 0o755)
  return home
}

/** Expects node's version, and never the runner's user, in every sandbox. */
function expectAll({ grading, agents }: Said, asRoot: boolean): void {
  expect(agents).toBe(null)
  const sandboxed = grading.filter(({ sandbox }) => sandbox !== 'none')
  expect(sandboxed.map(({ sandbox }) => sandbox)).toEqual(
    asRoot ? ['bubblewrap', 'own-user', 'own-user'] : ['bubblewrap'],
  )
  for (const { said } of sandboxed) {
    const uid = asRoot ? expect.toSatisfy((found: number) => found > 2_000_000_000) : 65_534
    expect(said).toEqual([process.version, uid])
  }
}

describe('every sandbox starts the node that runs us', { tags: 'bubblewrap' }, () => {
  const users = isRoot ? ['root', 'a plain user'] : ['a plain user']
  describe.each(users)('as %s', (user) => {
    const asRoot = user === 'root'
    it.each(installations(asRoot, IN_HOME))('from a home: %s', (_, path) => {
      const home = makeHome(`home of ${user}`)
      expectAll(report(install(join(home, path)), home, asRoot), asRoot)
    })

    it('by a symbolic link', () => {
      const home = makeHome(`home of ${user}`)
      const link = join(home, `shim-${user}`)
      symlinkSync(install(join(home, IN_HOME.nvm)), link)
      expectAll(report(link, home, asRoot), asRoot)
    })

    it.each(installations(asRoot, ON_MACHINE))('for the whole machine: %s', (_, path) => {
      const home = makeHome(`home of ${user}`)
      const node = install(join(home, 'node'))
      const covered = path.startsWith('/opt') ? '/opt' : '/usr/local'
      const walls = ['bwrap', '--dev-bind', '/', '/', ...(asRoot ? ['--cap-add', 'ALL'] : [])]
      const shown = ['--tmpfs', covered, '--ro-bind', node, path, '--']
      expectAll(report(path, home, asRoot, [...walls, ...shown]), asRoot)
    })
  })
})

describe('what a sandbox is shown of node', () => {
  const inside = (mounts: readonly { inside: string }[]) => mounts.map((one) => one.inside).sort()

  it('is npm as well where a version manager made the folder, and never its settings', () => {
    const home = makeHome('shown')
    const node = install(join(home, IN_HOME.nvm))
    const prefix = dirname(dirname(node))
    expect(inside(nodeMountsWithNpm(node))).toEqual(['/opt/node/bin/node'])
    mkdirSync(join(prefix, 'lib', 'node_modules', 'npm'), { recursive: true })
    mkdirSync(join(prefix, 'etc'))
    writeFileSync(join(prefix, 'etc', 'npmrc'), '_authToken=secret')
    expect(inside(nodeMountsWithNpm(node))).toEqual(['/opt/node/bin', '/opt/node/lib'])
    expect(inside(nodeMounts(node))).toEqual(['/opt/node/bin/node'])
  })

  it('is the program alone where others are installed beside it', () => {
    for (const program of ['/usr/bin/node', '/usr/local/bin/node', '/opt/bin/node'])
      expect(nodeMountsWithNpm(program)).toEqual([{ host: program, inside: '/opt/node/bin/node' }])
  })
})
