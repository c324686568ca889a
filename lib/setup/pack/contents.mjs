// @ts-check

/** Packages that npm installs with the command line. All its other imports are bundled. */
export const INSTALLED = ['chrome-remote-interface', 'esbuild', 'typescript-gate']

/** Packages whose files the apps of suite `browser` serve from the package's own folder. */
export const BUNDLED = ['htm', 'preact']

/** Browser libraries: measured where they are installed, never part of the package. */
export const OPTIONAL = ['playwright-core', 'puppeteer-core', 'selenium-webdriver', 'webdriverio']

/** Files that the launcher imports before any bundle. */
const LAUNCHER =
  /^lib\/setup\/(bundle|ensure-installed|folders|layout|load-program|outlive-readers|process|progress|serve\/watch-parents|take-keys)\.mjs$/
const TEST = /\.test\.ts$|(^|\/)(testing|fixtures)\//
/** Texts of the methodology, which pages without a server show. */
const TEXT = /^lib\/domain\/reports\/methodology\/pages\/[\w-]+\.md$/
const NOT_FOR_USERS = /^runner\/(bench\/|cli\/bench\.mjs$|.*README\.md$)/

/**
 * Returns whether a file of the clone is copied into the package, at the same path: the launcher, the exercises, the
 * methodology, and every file beside the runner's TypeScript that it reads.
 * @param {string} path
 */
export function isPacked(path) {
  if (path.startsWith('exercises/'))
    return !(path.startsWith('exercises/browser/') && TEST.test(path))
  if (path.startsWith('runner/'))
    return !(path.endsWith('.ts') || TEST.test(path) || NOT_FOR_USERS.test(path))
  return LAUNCHER.test(path) || TEXT.test(path)
}

const NAMED_SOURCE = /'((?:runner|exercises|lib)\/[\w./-]+\.ts)'/g
/** Entries whose path the sources build at run time. */
const FIXED = ['runner/cli/main.ts', 'exercises/browser/apps/main.ts']
const DRIVER = /^exercises\/browser\/[^/]+\/driver\.ts$/

/**
 * Lists programs that are started or imported by path: the command line, drivers, and each source that the runner
 * names.
 * @param {readonly string[]} sources files of the clone
 * @param {(path: string) => string} read
 */
export function listEntries(sources, read) {
  const known = new Set(sources)
  const own = sources.filter(
    (path) =>
      path.startsWith('runner/') &&
      path.endsWith('.ts') &&
      !TEST.test(path) &&
      !NOT_FOR_USERS.test(path),
  )
  const named = own.flatMap((path) =>
    [...read(path).matchAll(NAMED_SOURCE)].map(([, name]) => name ?? ''),
  )
  const entries = [...FIXED, ...named, ...sources.filter((path) => DRIVER.test(path))]
  return [...new Set(entries)].filter((path) => known.has(path)).sort()
}
