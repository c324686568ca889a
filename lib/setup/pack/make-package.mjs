// @ts-check
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleEntry } from '../bundle.mjs'
import { digestFiles, FILE_LIST, ROOT } from '../layout.mjs'
import { makePages } from '../pages/make-pages.mjs'
import { lastLines, runCommand } from '../process.mjs'
import { SetupFailure } from '../progress.mjs'
import { bundlePrograms } from './bundle-programs.mjs'
import { BUNDLED, INSTALLED, isPacked } from './contents.mjs'

/**
 * Packs the current state of this clone into `<out>/proofboard-<version>.tgz`. Throws a SetupFailure.
 * @param {string} out
 * @param {string} [name] the name to publish as; absent = the clone's, which is another project's on the public registry
 */
export async function makePackage(out, name) {
  if (name !== undefined && !/^@[a-z0-9-]+\/[a-z0-9][a-z0-9._-]*$/.test(name))
    throw new SetupFailure(
      `--name must be a scope and a name, such as @your-scope/proofboard, not ${name}`,
    )
  const staging = mkdtempSync(join(tmpdir(), 'proofboard-pack-'))
  try {
    const state = await stagePackage(staging, { name })
    refuseLocalPaths(staging)
    return { ...(await npmPack(staging, out)), state }
  } finally {
    rmSync(staging, { recursive: true, force: true })
  }
}

/**
 * Writes the package into `staging`, with further files of the same folder. Returns its commit and version.
 * @param {string} staging
 * @param {{ name?: string | undefined, programs?: readonly string[], external?: readonly string[], addTo?: (sources: readonly string[]) => void }} [more]
 *   its name, further entries to bundle, packages that these import as they are, and what adds further files before they are listed
 */
export async function stagePackage(
  staging,
  { name: asked, programs = [], external = [], addTo } = {},
) {
  const sources = await listSources()
  for (const path of sources.filter(isPacked)) copy(path, path, staging)
  await bundlePrograms(sources, staging, { programs, external })
  const verifier = await bundleEntry('runner/verify/exercise/bundle/pack-programs.ts')
  await (await import(pathToFileURL(verifier).href)).packPrograms(staging)
  await makePages(join(staging, 'dist', 'pages'))
  copy('LICENSE', 'LICENSE', staging)
  copy('lib/setup/pack/package-readme.md', 'README.md', staging)
  addTo?.(sources)
  const own = await describePackage()
  const manifest = asked === undefined ? own : { ...own, name: asked, ...publishedFrom() }
  writeJson(join(staging, 'package.json'), manifest)
  writeJson(join(staging, FILE_LIST), digestFiles(staging))
  for (const name of BUNDLED) copy(`node_modules/${name}`, `node_modules/${name}`, staging)
  const { commit, dirty } = manifest.proofboard
  return `commit ${commit ?? 'unknown'}${dirty ? ' with uncommitted changes' : ''}`
}

/** Lists files of the clone with slashes, without those that git ignores. */
async function listSources() {
  const output = await git('ls-files', '--cached', '--others', '--exclude-standard', '-z')
  if (output === null)
    throw new SetupFailure('the package is made from a git clone: there is none here, or no git')
  return output.split('\0').filter((path) => path !== '' && existsSync(join(ROOT, path)))
}

/** @param {string[]} args */
async function git(...args) {
  const { code, output } = await runCommand('git', ['-C', ROOT, '--no-optional-locks', ...args])
  return code === 0 ? output : null
}

/**
 * Copies a file or folder of the clone.
 * @param {string} from @param {string} to @param {string} staging
 */
export function copy(from, to, staging) {
  const target = join(staging, to)
  mkdirSync(dirname(target), { recursive: true })
  cpSync(join(ROOT, from), target, { recursive: true, dereference: true })
}

/** Builds the package's package.json, with the facts for `PACKAGE` of lib/setup/layout.mjs. */
async function describePackage() {
  const { name, version, description, license, type, engines, bin, dependencies, devDependencies } =
    readJson(join(ROOT, 'package.json'))
  const [head, status] = await Promise.all([git('rev-parse', 'HEAD'), git('status', '--porcelain')])
  const server = await import(pathToFileURL(join(ROOT, 'lib/server/console/console.mjs')).href)
  return {
    name,
    version,
    description,
    license,
    type,
    engines,
    bin,
    dependencies: Object.fromEntries(
      [...INSTALLED, ...BUNDLED].map((one) => [one, dependencies[one]]),
    ),
    bundleDependencies: BUNDLED,
    proofboard: {
      commit: head?.trim() ?? null,
      dirty: status === null ? null : status.trim() !== '',
      packages: { ...devDependencies, ...dependencies },
      serverCommands: server.SERVER_COMMANDS,
    },
  }
}

/** npm compares a statement of provenance with the repository that the package names. */
function publishedFrom() {
  const { GITHUB_REPOSITORY: name } = process.env
  return name ? { repository: { type: 'git', url: `git+https://github.com/${name}.git` } } : {}
}

/** @param {string} path */
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))

/** @param {string} path @param {object} value */
function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
}

/** @param {string} folder */
function listFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort()
}

/** Throws when a packed file names a folder of this machine. @param {string} staging */
function refuseLocalPaths(staging) {
  const places = [ROOT, staging, homedir()].filter((path) => path.length > '/root'.length)
  for (const path of listFiles(staging)) {
    const text = readFileSync(join(staging, path), 'latin1')
    const named = places.find((place) => text.includes(place))
    if (named) throw new SetupFailure(`${path} would be packed with the path ${named} in it`)
  }
}

/** @param {string} staging @param {string} out */
async function npmPack(staging, out) {
  mkdirSync(out, { recursive: true })
  const args = ['pack', staging, '--pack-destination', out, '--ignore-scripts', '--json']
  // In its own folder: npm run sets the folder of the clone as npm's own.
  const { code, output } = await runCommand('npm', [...args, '--loglevel=error'], { cwd: staging })
  const start = output.indexOf('[')
  if (code !== 0 || start === -1)
    throw new SetupFailure(`\`npm pack\` failed (exit ${code})`, lastLines(output, 20))
  const [{ filename, files }] = JSON.parse(output.slice(start))
  const packed = new Set(files.map((/** @type {{ path: string }} */ { path }) => path))
  const lost = listFiles(staging).filter(
    (path) => !packed.has(path) && !path.startsWith('node_modules/'),
  )
  if (lost.length > 0)
    throw new SetupFailure(
      `npm does not pack ${lost.slice(0, 5).join(', ')}${lost.length > 5 ? ` and ${lost.length - 5} more` : ''}: npm leaves out .gitignore files and what they name`,
    )
  const file = join(out, filename)
  return { file, bytes: statSync(file).size, files: packed.size }
}
