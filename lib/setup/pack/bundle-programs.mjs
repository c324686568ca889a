// @ts-check
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ROOT } from '../layout.mjs'
import { INSTALLED, listEntries, OPTIONAL } from './contents.mjs'

/** Packages that were written for `require` find it in a bundle as well. */
const REQUIRE = `import { createRequire as createRequireOfBundle } from 'node:module'
const require = createRequireOfBundle(import.meta.url)`
/** Packages that make files of the package, and nothing in it imports. */
const MAKERS = ['@tailwindcss/postcss', 'postcss']
const OUTSIDE = [...INSTALLED, ...OPTIONAL, ...MAKERS]
const COMMAND_LINE = 'runner/cli/main.ts'

/**
 * Bundles every program of the package with the packages that it imports, to the same path below `dist`.
 * @param {readonly string[]} sources files of the clone
 * @param {string} staging
 * @param {{ programs: readonly string[], external: readonly string[] }} more further entries, and packages that stay outside
 */
export async function bundlePrograms(sources, staging, { programs, external }) {
  const entries = listEntries(sources, (path) => readFileSync(join(ROOT, path), 'utf8'))
  const others = [...entries.filter((path) => path !== COMMAND_LINE), ...programs]
  // Parts that few commands need are loaded on demand; a program for a sandbox is one file.
  const inputs = [
    ...(await bundle([COMMAND_LINE], staging, {
      splitting: true,
      chunkNames: 'parts/[name]-[hash]',
    })),
    ...(await bundle(others, staging, { external: [...OUTSIDE, ...external] })),
  ]
  writeFileSync(join(staging, 'dist', 'third-party-licenses.txt'), collectLicences(inputs))
}

/** @param {string[]} entries @param {string} staging @param {import('esbuild').BuildOptions} how */
async function bundle(entries, staging, how) {
  const { build } = await import('esbuild')
  const { metafile, outputFiles } = await build({
    entryPoints: entries,
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    outdir: join(staging, 'dist'),
    outbase: ROOT,
    outExtension: { '.js': '.mjs' },
    banner: { js: REQUIRE },
    external: OUTSIDE,
    // Builds for `require` hide what they load from a bundler.
    mainFields: ['module', 'main'],
    legalComments: 'none',
    logLevel: 'silent',
    ...how,
  })
  for (const { path, contents } of outputFiles ?? []) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, contents)
  }
  return Object.keys(metafile?.inputs ?? {})
}

const PACKAGE_OF = /^((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//

/** Collects the licences of the packages whose code is in the bundles. @param {readonly string[]} inputs */
function collectLicences(inputs) {
  const folders = new Set(inputs.flatMap((path) => PACKAGE_OF.exec(path)?.[1] ?? []))
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(
      readFileSync(join(ROOT, folder, 'package.json'), 'utf8'),
    )
    return `${name} ${version} (${license})\n\n${readLicence(join(ROOT, folder))}`
  })
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}

/** @param {string} folder */
function readLicence(folder) {
  if (!existsSync(folder)) return ''
  const file = readdirSync(folder).find((name) => /^licen[cs]e(\.|$)/i.test(name))
  return file === undefined ? '' : readFileSync(join(folder, file), 'utf8')
}
