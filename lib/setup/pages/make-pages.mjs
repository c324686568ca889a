// @ts-check
// What pages without a server are made of (components/site): the program that draws them, the scripts and the style sheet
// that they load, and their faces. Made when a command needs it in a clone, and once for a package.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { hashSources } from '../build.mjs'
import { CACHE, makeCache, PACKAGE, ROOT } from '../layout.mjs'
import { showProgress } from '../progress.mjs'

const SOURCES = [
  ...[
    'app/cards.css',
    'app/globals.css',
    'app/print.css',
    'app/icon.svg',
    'components',
    'lib/domain',
    'lib/setup/pages',
  ],
  'package-lock.json',
]
const NOT_BUILT = /\.(test|e2e|fixture)\.tsx?$/

/** The folder with `draw.cjs` and `assets`. @returns {Promise<string>} */
export async function ensurePages() {
  if (PACKAGE !== null) return join(ROOT, 'dist', 'pages')
  const hash = hashSources(ROOT, SOURCES, (path) => !NOT_BUILT.test(path)).slice(0, 16)
  const folder = join(CACHE, `pages-${hash}`)
  if (existsSync(folder)) return folder
  makeCache()
  const progress = showProgress('pages of results')
  const draft = mkdtempSync(join(CACHE, 'pages-'))
  try {
    await makePages(draft)
    if (!existsSync(folder)) renameSync(draft, folder)
  } finally {
    progress.stop()
    rmSync(draft, { recursive: true, force: true })
  }
  return folder
}

/** @param {string} folder */
export async function makePages(folder) {
  const assets = join(folder, 'assets')
  mkdirSync(assets, { recursive: true })
  await Promise.all([bundleProgram(folder), bundleScripts(assets), writeStyle(assets)])
  copyFileSync(join(ROOT, 'app', 'icon.svg'), join(assets, 'icon.svg'))
}

/** @type {import('esbuild').BuildOptions} */
const SHARED = {
  absWorkingDir: ROOT,
  bundle: true,
  minify: true,
  jsx: 'automatic',
  legalComments: 'none',
  logLevel: 'silent',
  define: { 'process.env.NODE_ENV': '"production"', 'process.env.SITE_SCRIPT': '""' },
  alias: {
    'next/dynamic': join(ROOT, 'components/site/next-dynamic.tsx'),
    'next/navigation': join(ROOT, 'components/site/next-navigation.ts'),
  },
}

/** @param {string} folder */
async function bundleProgram(folder) {
  const { build } = await import('esbuild')
  return build({
    ...SHARED,
    entryPoints: ['components/site/index.ts'],
    outfile: join(folder, 'draw.cjs'),
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    // Parts that a page loads later are never drawn here.
    plugins: [
      {
        name: 'later-parts-stay-outside',
        setup({ onResolve }) {
          onResolve({ filter: /^\./ }, ({ kind, path }) =>
            kind === 'dynamic-import' ? { path, external: true } : undefined,
          )
        },
      },
    ],
  })
}

/** Plain scripts: a browser loads no module from a disk. @param {string} assets */
async function bundleScripts(assets) {
  const { build } = await import('esbuild')
  return build({
    ...SHARED,
    entryPoints: [
      'components/site/browser/page.ts',
      'components/site/browser/board.tsx',
      'components/site/browser/check.ts',
    ],
    outdir: assets,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
  })
}

/** The app's style sheet with the classes of its components. @param {string} assets */
async function writeStyle(assets) {
  const [{ default: postcss }, { default: tailwind }] = await Promise.all([
    import('postcss'),
    import('@tailwindcss/postcss'),
  ])
  const from = join(ROOT, 'app', 'globals.css')
  const plugin = tailwind({ base: join(ROOT, 'components'), optimize: { minify: true } })
  const { css } = await postcss([plugin]).process(readFileSync(from, 'utf8'), { from })
  writeFileSync(join(assets, 'site.css'), `${STATES}${css}`)
}

/** Links that the scripts of a page draw to what only a server has. */
const NEEDS_SERVER = ['api/', 'compare', 'plan'].map((path) => `a[href^="/${path}"]`).join()

const STATES = `[data-state=good] #status{border-color:var(--good)}
[data-state=bad] #status{border-color:var(--bad)}
[data-without-server] :is([data-needs-server],thead input[type=checkbox],${NEEDS_SERVER}),[data-still] .scripted{display:none}
`
