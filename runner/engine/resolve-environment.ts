import { readFileSync } from 'node:fs'
import os from 'node:os'
import { join } from 'node:path'
import { digestJson } from '#lib/domain/digest/index.ts'
import type { Environment } from '#lib/domain/record/index.ts'
import { findModule } from '#lib/setup/layout.mjs'
import type { IsolationRecord } from '../sandbox/isolation/isolation.ts'
import { nodeProgram } from '../sandbox/process/node-program.ts'
import { PROJECT_ROOT } from '../suites/project-paths.ts'
import { harnessState } from './harness-state.ts'

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
