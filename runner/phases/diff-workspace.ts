import { join } from 'node:path'
import { createTwoFilesPatch } from 'diff'
import type { LoadedExercise } from '../suites/task-folder.ts'
import { isDropping } from './is-dropping.ts'
import { readPlainFile } from './read-plain-file.ts'
import { type WalkedEntry, walkWorkspace } from './walk-workspace.ts'

const MOST_FILE_BYTES = 256 << 10
const MOST_DIFF_BYTES = 1 << 20
const MOST_FILES = 200

/**
 * Unified diff from the pristine template to what the subject left; big, binary and linked files are only named, and of
 * `droppings`, which the subject's program leaves wherever it runs, only the number.
 */
export async function diffWorkspace(
  task: LoadedExercise,
  workspace: string,
  droppings: readonly string[] = [],
): Promise<string> {
  const walked = await walkWorkspace(workspace)
  const { truncated } = walked
  const pristine = new Map(task.template.map((file) => [file.path, file.bytes]))
  const entries = walked.entries.filter(
    ({ path }) => pristine.has(path) || !isDropping(path, droppings),
  )
  const dropped = walked.entries.length - entries.length
  const parts: string[] = []
  for (const entry of entries) {
    if (parts.length >= MOST_FILES) break
    parts.push(...(await diffEntry(workspace, entry, pristine.get(entry.path) ?? null)))
  }
  const present = new Set(entries.map(({ path }) => path))
  for (const { path, bytes } of task.template) {
    if (!present.has(path)) parts.push(patch(path, bytes.toString('utf8'), null))
  }
  if (dropped > 0) parts.push(`Only counted: ${dropped} left by the agent's own program\n`)
  if (truncated || parts.length >= MOST_FILES) {
    parts.push('Only named: more files were changed than are shown here\n')
  }
  const text = parts.join('')
  return text.length > MOST_DIFF_BYTES ? `${text.slice(0, MOST_DIFF_BYTES)}\n[cut]\n` : text
}

async function diffEntry(
  workspace: string,
  { path, kind }: WalkedEntry,
  before: Buffer | null,
): Promise<string[]> {
  if (kind !== 'file') return [`Only named: ${path} is a ${kind}\n`]
  const part = await diffFile(workspace, path, before)
  return part === null ? [] : [part]
}

async function diffFile(
  workspace: string,
  path: string,
  before: Buffer | null,
): Promise<string | null> {
  const found = await readPlainFile(workspace, path, MOST_FILE_BYTES)
  if (found.kind === 'missing') return `Only named: ${path} vanished\n`
  if (found.kind === 'refused') return `Only named: ${path} ${found.reason}\n`
  if (before?.equals(found.bytes)) return null
  const binary = found.bytes.includes(0) || before?.includes(0)
  if (binary) return `Only named: ${path} is binary (${found.bytes.length} bytes)\n`
  return patch(path, before?.toString('utf8') ?? null, found.bytes.toString('utf8'))
}

function patch(path: string, before: string | null, after: string | null): string {
  const names: [string, string] = [
    before === null ? '/dev/null' : join('a', path),
    after === null ? '/dev/null' : join('b', path),
  ]
  // Two unlike files of many lines make a diff quadratic: past the limit the whole file is shown as replaced.
  const text = createTwoFilesPatch(...names, before ?? '', after ?? '', undefined, undefined, {
    maxEditLength: 4000,
  })
  return text ?? `--- ${names[0]}\n+++ ${names[1]}\n(rewritten)\n`
}
