import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { digestJson } from '#lib/domain/digest/index.ts'
import type { Environment } from '#lib/domain/record/index.ts'
import { digestFiles, FILE_LIST, findModule, PACKAGE, ROOT } from '#lib/setup/layout.mjs'
import type { IsolationRecord } from '../sandbox/isolation/isolation.ts'
import { gitState } from '../sandbox/process/git.ts'
import { nodeProgram } from '../sandbox/process/node-program.ts'
import { PROJECT_ROOT } from '../suites/project-paths.ts'

// The packages that decide a verdict; their exact versions are in every envelope.
const DECIDING = ['typescript-gate', 'esbuild', 'expect'] as const

type Parts = Pick<
  Environment,
  'browser' | 'libraries' | 'verifier' | 'subjectUser' | 'toolchains' | 'certificates'
>

const NO_BROWSER: Parts = { browser: null, libraries: {} }

/** Reads the machine and the harness from the system and the installed packages. */
export async function resolveEnvironment(
  { isolation, containerImageDigest, tools }: IsolationRecord,
  {
    browser,
    libraries,
    verifier = null,
    subjectUser,
    toolchains,
    certificates,
  }: Parts = NO_BROWSER,
): Promise<Environment> {
  const cpus = os.cpus()
  return {
    os: os.platform(),
    arch: os.arch(),
    kernel: os.release(),
    node: nodeProgram().version,
    bun: process.versions.bun ?? null,
    browser,
    containerImageDigest,
    isolation,
    verifier,
    ...(subjectUser && { subjectUser }),
    cpuCount: Math.max(1, cpus.length),
    memoryBytes: os.totalmem(),
    harness: {
      version: runnerVersion(),
      ...(await harnessState()),
    },
    libraries: {
      ...Object.fromEntries(DECIDING.map((name) => [name, installedVersion(name)])),
      ...tools,
      ...libraries,
    },
    ...(toolchains && { toolchains, certificates: certificates ?? null }),
    hostFingerprint: digestJson({
      hostname: os.hostname(),
      cpu: cpus[0]?.model ?? '',
      cpus: cpus.length,
      memory: os.totalmem(),
    }),
  }
}

/** The version of this Proofboard. */
export function runnerVersion(): string {
  return versionIn(join(PROJECT_ROOT, 'package.json'))
}

function installedVersion(name: string): string {
  try {
    return versionIn(join(findModule(name), 'package.json'))
  } catch {
    return 'unknown'
  }
}

function versionIn(manifestPath: string): string {
  const { version } = JSON.parse(readFileSync(manifestPath, 'utf8')) as { version?: string }
  return version ?? 'unknown'
}

/** The commit of this Proofboard, and whether it differs from that commit. */
type HarnessState = { commit: string | null; dirty: boolean | null }

const fileListSchema = z.record(z.string(), z.string())

/** Reads the state of the clone; an installed package is compared with the list of files written when it was packed. */
async function harnessState(): Promise<HarnessState> {
  return PACKAGE === null ? gitState(ROOT) : packageState(ROOT, PACKAGE)
}

/** The state of a package in `root`: a changed, added or removed file makes it dirty, as in a clone. */
export async function packageState(
  root: string,
  { commit, dirty }: HarnessState,
): Promise<HarnessState> {
  const listed = await readFile(join(root, FILE_LIST), 'utf8').then(JSON.parse, () => null)
  const expected = fileListSchema.safeParse(listed)
  const isAsPacked = expected.success && isSame(expected.data, digestFiles(root))
  return { commit, dirty: isAsPacked ? dirty : true }
}

function isSame(left: Record<string, string>, right: Record<string, string>): boolean {
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length && names.every((name) => left[name] === right[name])
  )
}
