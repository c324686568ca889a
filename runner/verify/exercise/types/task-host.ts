import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type ts from 'typescript-gate'
import type { TypeCheckInput } from './type-messages.ts'

/** Packages whose types a test or a solution may see; other files on the disk do not exist for it. */
export const VISIBLE =
  /^(@jest\/|expect\/|jest-[a-z-]+\/|pretty-format\/|@sinclair\/(typebox\/)?|undici-types\/|chalk\/|@types\/((node|istanbul-[a-z-]+|yargs[a-z-]*|stack-utils)\/)?)/

const GLOBALS_FILE = '__jest-globals.d.ts'
const GLOBAL_NAMES = [
  'describe',
  'xdescribe',
  'fdescribe',
  'it',
  'xit',
  'fit',
  'test',
  'xtest',
  'expect',
  'jest',
  'beforeAll',
  'beforeEach',
  'afterEach',
  'afterAll',
]
const GLOBALS_TEXT = `export {}\ndeclare global {\n${GLOBAL_NAMES.map(
  (name) => `  const ${name}: typeof import('@jest/globals').${name}\n`,
).join('')}}\n`

/** The type declarations on disk, parsed once for all checks of a worker. */
export class LibraryFiles {
  readonly libFolder: string
  readonly modules: string
  /** What is known about package.json files. */
  packageInfo: ts.PackageJsonInfoCache | undefined
  readonly #texts = new Map<string, string | undefined>()
  readonly #folders = new Map<string, boolean>()
  readonly #resolved = new Map<string, ts.ResolvedModuleWithFailedLookupLocations>()
  readonly #parsed = new Map<string, ts.SourceFile | undefined>()

  constructor(typescriptPath: string, modules: string) {
    this.libFolder = dirname(typescriptPath)
    this.modules = modules
  }

  /** Text of a visible file; undefined for anything else, wherever a reference may point. */
  read(path: string): string | undefined {
    if (!this.#isVisible(path)) return undefined
    if (!this.#texts.has(path)) this.#texts.set(path, readQuietly(path))
    return this.#texts.get(path)
  }

  hasFolder(path: string): boolean {
    if (path !== this.modules && !this.#isVisible(path)) return false
    const known = this.#folders.get(path) ?? isFolder(path)
    this.#folders.set(path, known)
    return known
  }

  parse(
    typescript: typeof ts,
    path: string,
    options: ts.CreateSourceFileOptions,
  ): ts.SourceFile | undefined {
    const key = `${options.impliedNodeFormat ?? 0} ${path}`
    if (!this.#parsed.has(key)) {
      const text = this.read(path)
      this.#parsed.set(
        key,
        text === undefined ? undefined : typescript.createSourceFile(path, text, options),
      )
    }
    return this.#parsed.get(key)
  }

  resolveOnce(
    key: string,
    resolve: () => ts.ResolvedModuleWithFailedLookupLocations,
  ): ts.ResolvedModuleWithFailedLookupLocations {
    const known = this.#resolved.get(key) ?? resolve()
    this.#resolved.set(key, known)
    return known
  }

  #isVisible(path: string): boolean {
    if (path.includes('/../') || path.includes('\0')) return false
    if (dirname(path) === this.libFolder) return path.endsWith('.d.ts')
    const prefix = `${this.modules}/`
    return path.startsWith(prefix) && VISIBLE.test(`${path.slice(prefix.length)}/`)
  }
}

/** One task's files, seen from a folder beside node_modules that does not exist on disk. */
export class TaskHost implements ts.CompilerHost {
  readonly root: string
  readonly rootNames: string[]
  readonly #typescript: typeof ts
  readonly #libraries: LibraryFiles
  readonly #options: ts.CompilerOptions
  readonly #files: Map<string, string>
  readonly #cache: ts.ModuleResolutionCache

  constructor(
    typescript: typeof ts,
    libraries: LibraryFiles,
    options: ts.CompilerOptions,
    input: TypeCheckInput,
  ) {
    this.#typescript = typescript
    this.#libraries = libraries
    this.#options = options
    // One folder for each kind of package, so that cached facts about package.json files hold for all tasks.
    this.root = join(dirname(libraries.modules), `__proofboard-${input.packageType}__`)
    this.#cache = typescript.createModuleResolutionCache(
      this.root,
      (path) => path,
      options,
      libraries.packageInfo,
    )
    libraries.packageInfo ??= this.#cache.getPackageJsonInfoCache()
    this.#files = new Map(input.files.map(({ path, text }) => [join(this.root, path), text]))
    if (input.jestGlobals) this.#files.set(join(this.root, GLOBALS_FILE), GLOBALS_TEXT)
    this.rootNames = [...this.#files.keys()].filter((path) => /\.[cm]?tsx?$/.test(path))
    this.#files.set(join(this.root, 'package.json'), JSON.stringify({ type: input.packageType }))
  }

  relative(path: string): string {
    const prefix = path.startsWith(`${this.root}/`) ? this.root : this.#libraries.modules
    return path.startsWith(prefix) ? path.slice(prefix.length + 1) : path
  }

  getModuleResolutionCache(): ts.ModuleResolutionCache {
    return this.#cache
  }

  /** What a library file imports is the same for every task: asked once. */
  resolveModuleNameLiterals(
    literals: readonly ts.StringLiteralLike[],
    from: string,
    redirected: ts.ResolvedProjectReference | undefined,
    options: ts.CompilerOptions,
    file: ts.SourceFile,
  ): readonly ts.ResolvedModuleWithFailedLookupLocations[] {
    const typescript = this.#typescript
    return literals.map((literal) => {
      const mode = typescript.getModeForUsageLocation(file, literal, options)
      const resolve = () =>
        typescript.resolveModuleName(
          literal.text,
          from,
          options,
          this,
          this.#cache,
          redirected,
          mode,
        )
      if (from.startsWith(`${this.root}/`)) return resolve()
      return this.#libraries.resolveOnce(
        `${options.module} ${options.moduleResolution} ${mode} ${from} ${literal.text}`,
        resolve,
      )
    })
  }

  getSourceFile(
    path: string,
    languageVersion: ts.ScriptTarget | ts.CreateSourceFileOptions,
  ): ts.SourceFile | undefined {
    const options = typeof languageVersion === 'object' ? languageVersion : { languageVersion }
    const text = this.#files.get(path)
    if (text === undefined) return this.#libraries.parse(this.#typescript, path, options)
    return this.#typescript.createSourceFile(path, text, options)
  }

  readFile(path: string): string | undefined {
    return this.#files.get(path) ?? this.#libraries.read(path)
  }
  fileExists(path: string): boolean {
    return this.#files.has(path) || this.#libraries.read(path) !== undefined
  }
  directoryExists(path: string): boolean {
    if (path === this.root || path.startsWith(`${this.root}/`)) {
      return [...this.#files.keys()].some((name) => name.startsWith(`${path}/`))
    }
    return this.#libraries.hasFolder(path)
  }
  getDirectories(): string[] {
    return []
  }
  getCurrentDirectory(): string {
    return this.root
  }
  getDefaultLibFileName(): string {
    return join(this.#libraries.libFolder, this.#typescript.getDefaultLibFileName(this.#options))
  }
  getDefaultLibLocation(): string {
    return this.#libraries.libFolder
  }
  getCanonicalFileName(path: string): string {
    return path
  }
  useCaseSensitiveFileNames(): boolean {
    return true
  }
  getNewLine(): string {
    return '\n'
  }
  writeFile(): void {}
}

function readQuietly(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
