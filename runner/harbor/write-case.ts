import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { digestJson } from '#lib/domain/digest/index.ts'
import type { Behaviour } from '#lib/domain/tasks/index.ts'
import { type Change, digestChanges } from '../repository/overlay.ts'

/** A task in its shortest form: a prompt, files to start with, and a check. */
export type Case = {
  name: string
  prompt: string
  files: readonly Change[]
  check: Check
  /** With a `solve.sh` it can be proven. */
  solution: readonly Change[]
  /** Expected behaviours, which are not part of the task's version. */
  expect?: readonly Behaviour[] | undefined
}

/** Hidden files that are put into the folder after the agent has ended, and the shell command that runs there then. */
type Check = { files: readonly Change[]; command: string }

/** Programs by the ending of a check. */
const PROGRAMS: Readonly<Record<string, string>> = {
  '.sh': 'bash',
  '.py': 'python3',
  '.js': 'node',
  '.mjs': 'node',
}
export const CHECK_ENDINGS = Object.keys(PROGRAMS)

/** Returns the command that runs a script by its ending; null = the ending is not known. */
export function commandFor(script: string): string | null {
  const program = PROGRAMS[extname(script)]
  return program === undefined ? null : `${program} './${script.replaceAll("'", "'\\''")}'`
}

const TASK_TOML = `version = "1.0"

[verifier]
timeout_sec = 300.0

[environment]
allow_internet = false
`

/** The image has node, python3 and git; in bubblewrap the programs of the machine are used. */
const DOCKERFILE = 'FROM node:22-bookworm\nWORKDIR /app\n'

/**
 * Writes a case as a task in Harbor's format into a cache, once for each content, and returns the folder. From there on
 * it is a task like any other.
 */
export function writeCase(cache: string, one: Case): string {
  const { name, prompt, files, check, solution } = one
  const parts = [files, check.files, solution].map(digestChanges)
  const digest = digestJson({ version: 1, name, prompt, command: check.command, parts })
  const parent = join(cache, digest.slice('sha256:'.length))
  const folder = join(parent, name)
  if (existsSync(folder)) return folder
  mkdirSync(cache, { recursive: true })
  const fresh = mkdtempSync(join(cache, 'new-'))
  try {
    const copy = files.length > 0 ? 'COPY files/ .\n' : ''
    writeText(join(fresh, name, 'task.toml'), TASK_TOML)
    writeText(join(fresh, name, 'instruction.md'), `${prompt}\n`)
    writeText(join(fresh, name, 'environment', 'Dockerfile'), DOCKERFILE + copy)
    writeText(join(fresh, name, 'tests', 'test.sh'), testScript(check))
    writeFiles(join(fresh, name, 'environment', 'files'), files)
    writeFiles(join(fresh, name, 'tests', 'case'), check.files)
    writeFiles(join(fresh, name, 'solution'), solution)
    renameSync(fresh, parent)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    if (!existsSync(folder)) throw error // else another process was faster
  }
  return folder
}

function testScript({ files, command }: Check): string {
  const copy = files.length > 0 ? 'cp -R /tests/case/. .\n' : ''
  return `#!/bin/bash
cd /app || exit 1
${copy}if ( ${command}
); then echo 1; else echo 0; fi > /logs/verifier/reward.txt
`
}

function writeFiles(root: string, files: readonly Change[]): void {
  for (const { path, bytes, executable } of files)
    if (bytes !== null) writeText(join(root, path), bytes, executable ? 0o755 : 0o644)
}

function writeText(path: string, content: string | Buffer, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content, { mode })
}
