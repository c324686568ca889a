import { digestBytes } from '#lib/domain/digest/index.ts'
import type { StoredWork } from '#lib/domain/record/index.ts'
import { evaluateContract } from '../../engine/evaluate-contract.ts'
import type { JudgedSolution, JudgingDeps } from '../../engine/judge-stored.ts'
import { readPlainFile } from '../../engine/read-plain-file.ts'
import type { LoadedExercise, SourceText } from '../../suites/task-folder.ts'

const SOLUTION = 'solution/'
const MAX_BYTES = 1 << 20

/** Judges the solution files that are stored with an episode. */
export async function judgeSolution(
  folder: string,
  episode: StoredWork,
  task: LoadedExercise,
  { verifier, signal }: Pick<JudgingDeps, 'verifier' | 'signal'>,
): Promise<JudgedSolution> {
  const declared = task.task.files.solution
  const found = await readSolution(folder, episode, declared)
  if ('problem' in found) return { refused: 'no-solution', reason: found.problem }
  const solution = {
    files: found.files,
    missing: declared.filter((path) => !found.files.some((file) => file.path === path)),
    findings: [],
  }
  const evaluation = await evaluateContract(task, solution, verifier, signal)
  return { evaluation, files: found.files }
}

/** The declared files of the stored solution, exactly as sealed; files that were not stored are left out. */
async function readSolution(
  folder: string,
  { evidence }: StoredWork,
  declared: readonly string[],
): Promise<{ files: SourceText[] } | { problem: string }> {
  const files = new Map<string, string>()
  for (const { path, role, digest } of evidence) {
    const name = path.slice(SOLUTION.length)
    if (role !== 'solution' || path !== `${SOLUTION}${name}` || !declared.includes(name)) continue
    const read = await readPlainFile(folder, path, MAX_BYTES)
    if (read.kind === 'missing') return { problem: `its ${path} is not here` }
    if (read.kind === 'refused') return { problem: `its ${path} ${read.reason}` }
    if (digestBytes(read.bytes) !== digest)
      return { problem: `its ${path} is not what was sealed: it was changed afterwards` }
    files.set(name, read.bytes.toString('utf8'))
  }
  return { files: [...files].map(([path, text]) => ({ path, text })) }
}
