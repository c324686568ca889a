// @ts-check

import { posix } from 'node:path'
import ts from 'typescript-gate'
import { passFaces, readFaces } from './read-faces.mjs'

/** @typedef {Readonly<Record<string, string>>} Sources text by path below the root, with slashes */
/** @typedef {{ path: string, lines: number, imports: string[], exports: string[] }} SourceFile */
/** @typedef {Map<string, SourceFile>} Graph */
/** @typedef {{ name: string, files: number, lines: number }} Room */
/**
 * @typedef {object} House
 * @property {Room[]} rooms product code by top folder; `.` = the root
 * @property {number} files
 * @property {number} lines
 * @property {Room} exercises apps and drivers of browser workflows, counted apart
 * @property {string[]} fragments files under 40 lines with exactly one importer and no test of their own; Next imports, too
 * @property {string[]} longestChain files that import one another in a row
 * @property {[string, string][]} mutualModules modules of lib/domain that import each other
 * @property {{ name: string, paths: string[] }[]} repeatedNames
 */

const ROOMS = ['app', 'components', 'lib', 'runner', 'prisma', '.']
const APART = 'exercises/browser/'
const SOURCE = /\.(ts|tsx|mjs)$/
const TEST = /\.(test|e2e)\.tsx?$/
const NOT_PRODUCT =
  /(\.(test|e2e|fixture)\.tsx?|\.d\.ts|\.config\.(ts|mjs))$|(^|\/)(testing|fixtures|generated)\/|(^|\/)\./
const FRAGMENT_LINES = 40
/** Files of `app` that Next loads by their name: an import beside that is their second reader. */
const NEXT_FILE = /^app\/(.*\/)?(route|page|layout|not-found|error|loading|template|default)\.tsx?$/
/** What Next asks a file of `app` or of the root to export under a given name. */
const NEXT_EXPORTS = new Set([
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'config', 'proxy', 'register'],
  ...['metadata', 'generateMetadata', 'viewport', 'generateViewport', 'generateStaticParams'],
  ...['dynamic', 'dynamicParams', 'revalidate', 'runtime', 'maxDuration', 'fetchCache'],
  ...['preferredRegion', 'alt', 'size', 'contentType', 'onRequestError'],
])
/** What a program that imports a file by its path asks it to export: a launcher `main` of its bundle, the host `driver`. */
const LOADED_EXPORTS = new Set(['main', 'driver'])

/** Whether a file is looked at; tests are, to know which files have one. @param {string} path */
export function isSource(path) {
  return SOURCE.test(path) && (roomOf(path) !== null || path.startsWith(APART))
}

/**
 * Counts a tree: what is product, its fragments, chains, mutual modules and names that exist more than once.
 * @param {Sources} sources
 * @returns {House}
 */
export function measureHouse(sources) {
  const graph = readGraph(sources)
  const files = [...graph.values()]
  const apart = Object.keys(sources).filter(
    (path) => path.startsWith(APART) && SOURCE.test(path) && !NOT_PRODUCT.test(path),
  )
  return {
    rooms: ROOMS.map((name) =>
      sum(
        name,
        files.filter(({ path }) => roomOf(path) === name),
      ),
    ),
    files: files.length,
    lines: sum('all', files).lines,
    exercises: sum(
      APART,
      apart.map((path) => ({ lines: countLines(sources[path] ?? '') })),
    ),
    fragments: findFragments(graph, Object.keys(sources)),
    longestChain: findLongestChain(graph),
    mutualModules: findMutualModules(files),
    repeatedNames: findRepeatedNames(files),
  }
}

/** The product files of a tree with what each imports of them. @param {Sources} sources @returns {Graph} */
export function readGraph(sources) {
  const paths = Object.keys(sources).filter(
    (path) => SOURCE.test(path) && roomOf(path) !== null && !NOT_PRODUCT.test(path),
  )
  const product = new Set(paths.sort())
  const faces = readFaces(sources, resolveImport)
  return new Map(paths.map((path) => [path, readSource(path, sources[path] ?? '', product, faces)]))
}

/** @param {string} path @returns {string | null} */
function roomOf(path) {
  const top = path.slice(0, Math.max(0, path.indexOf('/'))) || '.'
  return ROOMS.includes(top) ? top : null
}

/** @param {string} name @param {{ lines: number }[]} files @returns {Room} */
function sum(name, files) {
  return { name, files: files.length, lines: files.reduce((total, { lines }) => total + lines, 0) }
}

/** @param {string} text */
function countLines(text) {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}

/**
 * @param {string} path
 * @param {string} text
 * @param {ReadonlySet<string>} product
 * @param {import('./read-faces.mjs').Faces} faces
 * @returns {SourceFile}
 */
function readSource(path, text, product, faces) {
  // Types count too: who follows a datum opens the file of its type.
  const { importedFiles } = ts.preProcessFile(text, true, true)
  const named = importedFiles.map(({ fileName }) => resolveImport(path, fileName))
  const targets = [...named, ...passFaces(path, text, faces, resolveImport)]
  const imports = [...new Set(targets)].filter(
    (target) => product.has(target) && (faces.has(path) || !faces.has(target)),
  )
  return { path, lines: countLines(text), imports, exports: listExports(path, text) }
}

/** A relative path, or `#room/…` as package.json maps it. @param {string} from @param {string} name */
function resolveImport(from, name) {
  return name.startsWith('#') ? name.slice(1) : posix.join(posix.dirname(from), name)
}

/**
 * Names that a file defines and exports. A name that is passed on (`export … from`) is counted where it is defined; a
 * schema and the type made of it share one name and count once.
 * @param {string} path
 * @param {string} text
 */
function listExports(path, text) {
  const kind = path.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, kind)
  const isNext = ['app', '.'].includes(roomOf(path) ?? '')
  return [...new Set(statements.flatMap(namesOf))].filter(
    (name) => !LOADED_EXPORTS.has(name) && !(isNext && NEXT_EXPORTS.has(name)),
  )
}

/** @param {ts.Statement} statement @returns {string[]} */
function namesOf(statement) {
  if (ts.isExportDeclaration(statement)) return namesOfList(statement)
  const kinds = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined
  const has = (/** @type {ts.SyntaxKind} */ kind) => kinds?.some((one) => one.kind === kind)
  if (!has(ts.SyntaxKind.ExportKeyword) || has(ts.SyntaxKind.DefaultKeyword)) return []
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => namesIn(name))
  const { name } = /** @type {ts.DeclarationStatement} */ (statement)
  return name && ts.isIdentifier(name) ? [name.text] : []
}

/** @param {ts.ExportDeclaration} declaration */
function namesOfList({ exportClause, moduleSpecifier }) {
  if (moduleSpecifier || !exportClause || !ts.isNamedExports(exportClause)) return []
  return exportClause.elements.map(({ name }) => name.text)
}

/** @param {ts.BindingName} name @returns {string[]} */
function namesIn(name) {
  if (ts.isIdentifier(name)) return [name.text]
  return name.elements.flatMap((one) => (ts.isBindingElement(one) ? namesIn(one.name) : []))
}

/** @param {Graph} graph @param {readonly string[]} paths with the tests */
function findFragments(graph, paths) {
  const stem = (/** @type {string} */ path) => path.replace(/\.[^/]*$/, '')
  const tested = new Set(paths.filter((path) => TEST.test(path)).map(stem))
  const importers = group(
    [...graph.values()].flatMap(({ path, imports }) => imports.map((target) => [target, path])),
  )
  return [...graph.values()]
    .filter(({ path, lines }) => lines < FRAGMENT_LINES && importers.get(path)?.length === 1)
    .map(({ path }) => path)
    .filter((path) => !tested.has(stem(path)) && !NEXT_FILE.test(path))
}

/** A cycle, which the import rules forbid, is cut where it closes. @param {Graph} graph */
function findLongestChain(graph) {
  /** @type {Map<string, string[]>} */
  const known = new Map()
  /** @param {string} path @returns {string[]} */
  const walk = (path) => {
    const before = known.get(path)
    if (before) return before
    known.set(path, [])
    const chain = [path, ...longest((graph.get(path)?.imports ?? []).map(walk))]
    known.set(path, chain)
    return chain
  }
  return longest([...graph.keys()].map(walk))
}

/** @param {string[][]} chains @returns {string[]} */
function longest(chains) {
  return chains.reduce((best, chain) => (chain.length > best.length ? chain : best), [])
}

/** @param {SourceFile[]} files @returns {[string, string][]} */
function findMutualModules(files) {
  const edges = new Set(
    files.flatMap(({ path, imports }) =>
      imports.map((target) => `${moduleOf(path)} ${moduleOf(target)}`),
    ),
  )
  const modules = [...new Set(files.map(({ path }) => moduleOf(path)))].filter(Boolean).sort()
  return modules.flatMap((one, place) =>
    modules
      .slice(place + 1)
      .filter((two) => edges.has(`${one} ${two}`) && edges.has(`${two} ${one}`))
      .map((two) => /** @type {[string, string]} */ ([one, two])),
  )
}

/** The folder of lib/domain that a file belongs to; its own loose files count as one. @param {string} path */
function moduleOf(path) {
  if (!path.startsWith('lib/domain/')) return ''
  const [, , name = '', ...below] = path.split('/')
  return below.length > 0 ? name : '.'
}

/** @param {SourceFile[]} files */
function findRepeatedNames(files) {
  const places = group(files.flatMap(({ path, exports }) => exports.map((name) => [name, path])))
  return [...places]
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => ({ name, paths }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Values by key, in order. @param {string[][]} pairs @returns {Map<string, string[]>} */
function group(pairs) {
  /** @type {Map<string, string[]>} */
  const groups = new Map()
  for (const [key = '', value = ''] of pairs) groups.set(key, [...(groups.get(key) ?? []), value])
  return groups
}
