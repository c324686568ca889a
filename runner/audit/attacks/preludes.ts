import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { readPlainFile } from '../../engine/read-plain-file.ts'
import type { Change } from '../../repository/overlay.ts'

type Language = 'module' | 'commonjs' | 'python' | 'shell'

/** An attack as the first lines of a source, by language. */
export type Preludes<Task> = Partial<Record<Language, string | ((task: Task) => string)>>

const MAX_SOURCE = 1 << 20

/**
 * Writes the attack before the content of each source that the reference changes; a source that it adds is replaced by
 * a stub with the same names, which implements none of them. False if the attack does not apply to the task.
 */
export async function plantBefore<Task>(
  preludes: Preludes<Task>,
  task: Task,
  { workspace, sources }: { workspace: string; sources: readonly Change[] },
): Promise<boolean> {
  let planted = false
  for (const { path, bytes } of sources) {
    const found = await readPlainFile(workspace, path, MAX_SOURCE)
    const solved = bytes?.toString('utf8') ?? ''
    const text = found.kind === 'read' ? found.bytes.toString('utf8') : stubOf(path, solved)
    const prelude = preludes[languageOf(path, text)]
    if (prelude === undefined) continue
    await put(
      workspace,
      path,
      `${typeof prelude === 'function' ? prelude(task) : prelude}\n${text}`,
    )
    planted = true
  }
  return planted
}

/** Writes a file of the attack, and creates its parent folders. */
export async function put(workspace: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(workspace, path)), { recursive: true })
  await writeFile(join(workspace, path), text)
}

function languageOf(path: string, text: string): Language {
  if (extname(path) === '.py') return 'python'
  if (extname(path) === '.sh') return 'shell'
  return /^\s*(import|export)\s/m.test(text) ? 'module' : 'commonjs'
}

function stubOf(path: string, solved: string): string {
  if (extname(path) === '.py')
    return 'def __getattr__(name):\n    if name[:2] == "__": raise AttributeError(name)\n    return lambda *given, **named: None\n'
  if (languageOf(path, solved) !== 'module') return ''
  const named = solved.matchAll(
    /^export\s+(?:async\s+)?(?:const|let|var|class|function\*?)\s+(\w+)/gm,
  )
  const stubs = [...named].map(([, name]) => `export const ${name} = function () {}\n`)
  return /^export\s+default\b/m.test(solved)
    ? `${stubs.join('')}export default function () {}\n`
    : stubs.join('')
}

/** Builds JavaScript for both kinds of modules; only the access to node's modules differs. */
export const javascript = (
  names: readonly string[],
  body: string,
): { module: string; commonjs: string } => ({
  module: `${names.map((name) => `import * as x${name} from 'node:${name}'`).join('\n')}\n${body}`,
  commonjs: `${names.map((name) => `const x${name} = require('node:${name}')`).join('\n')}\n${body}`,
})
