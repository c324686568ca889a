import type { LoadedExercise, SourceText } from '../../suites/task-folder.ts'
import { hollowOut } from './hollow-out.ts'
import { type LearnedCall, Notebook } from './notebook.ts'
import { rehearse } from './rehearsal.ts'

/** What somebody knows who saw a correct solution answer the visible tests, and a solution without any work in it. */
export type Learned = { calls: readonly LearnedCall[]; hollow: readonly SourceText[] }

/**
 * Learns the visible tests by heart: plays them against the reference and notes each call with its answer. It is the
 * most that anybody can memorise. Null when the tests cannot be played here.
 */
export async function learnAnswers(task: LoadedExercise): Promise<Learned | null> {
  const [{ transform }, { default: typescript }] = await Promise.all([
    import('esbuild'),
    import('typescript-gate'),
  ])
  const files = new Map<string, string>()
  for (const { path, text } of [...task.support, ...task.tests, ...task.reference]) {
    const { code } = await transform(text, { loader: 'ts', format: 'cjs', target: 'node20' })
    files.set(path, code)
  }
  const notebook = new Notebook()
  const solution = new Set<string>(task.task.files.solution)
  const wrap = (path: string, exports: object) =>
    solution.has(path) ? notebook.wrap(exports) : exports
  try {
    await rehearse(files, { tests: task.task.files.test, wrap })
  } catch {
    return null // Tests that need more than this stage has: nothing is learned.
  }
  const hollow = task.reference.map((file) => hollowOut(typescript, file))
  return notebook.calls.length === 0 ? null : { calls: notebook.calls, hollow }
}
