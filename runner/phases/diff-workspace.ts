import { join } from 'node:path'
import { createTwoFilesPatch } from 'diff'
import type { LoadedTask } from '../suites/task-folder.ts'
import { readPlainFile } from './read-plain-file.ts'
import { walkWorkspace } from './walk-workspace.ts'

const MOST_FILE_BYTES = 256 << 10
const MOST_DIFF_BYTES = 1 << 20
const MOST_FILES = 200

/** Unified diff from the pristine template to what the subject left; big, binary and linked files are only named. */
export async function diffWorkspace(task: LoadedTask, workspace: string): Promise<string> {
  const { entries, truncated } = await walkWorkspace(workspace)
  const pristine = new Map(task.template.map((file) => [file.path, file.bytes]))
  const present = new Set(entries.map(({ path }) => path))
  const parts: string[] = []
  for (const entry of entries) {
    if (parts.length >= MOST_FILES) break
    const before = pristine.get(entry.path) ?? null
    const part = entry.kind === 'file' ? await diffFile(workspace, entry.path, before) : `Only named: ${entry.path} is a ${entry.kind}\n`
    if (part) parts.push(part)
  }
  for (const [path, bytes] of pristine) {
    if (!present.has(path)) parts.push(patch(path, bytes.toString('utf8'), null))
  }
  if (truncated || parts.length >= MOST_FILES) parts.push('Only named: more files were changed than are shown here\n')
  const text = parts.join('')
  return text.length > MOST_DIFF_BYTES ? `${text.slice(0, MOST_DIFF_BYTES)}\n[cut]\n` : text
}

async function diffFile(workspace: string, path: string, before: Buffer | null): Promise<string | null> {
  const found = await readPlainFile(workspace, path, MOST_FILE_BYTES)
  if (found.kind !== 'read') return `Only named: ${path} ${found.kind === 'refused' ? found.reason : 'vanished'}\n`
  if (before?.equals(found.bytes)) return null
  if (found.bytes.includes(0) || before?.includes(0)) return `Only named: ${path} is binary (${found.bytes.length} bytes)\n`
  return patch(path, before?.toString('utf8') ?? null, found.bytes.toString('utf8'))
}

function patch(path: string, before: string | null, after: string | null): string {
  const names: [string, string] = [before === null ? '/dev/null' : join('a', path), after === null ? '/dev/null' : join('b', path)]
  // Two unlike files of many lines make a diff quadratic: past the limit the whole file is shown as replaced.
  const text = createTwoFilesPatch(...names, before ?? '', after ?? '', undefined, undefined, { maxEditLength: 4000 })
  return text ?? `--- ${names[0]}\n+++ ${names[1]}\n(rewritten)\n`
}
