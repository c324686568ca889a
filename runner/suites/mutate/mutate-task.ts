import type { LoadedExercise, SourceText } from '../task-folder.ts'
import { countMutants, type Judged, survives } from './count-mutants.ts'
import type { Judges } from './judge.ts'
import { listMutants } from './list-mutants.ts'
import { digestHeldOut, digestSources, type MutationFile } from './mutation-file.ts'

/** Plays every mutant and every wrong solution of a task, `concurrency` at a time, and counts what is caught. */
export async function mutateTask(
  task: LoadedExercise,
  judges: Judges,
  concurrency: number,
): Promise<MutationFile> {
  const { default: typescript } = await import('typescript-gate')
  const mutants = listMutants(typescript, task.reference)
  const judgedMutants = await judgeAll(mutants, judges, concurrency)
  const judgedWrong = await judgeAll(task.wrong, judges, concurrency)
  const survivors = mutants.filter((_, place) => {
    const judged = judgedMutants[place]
    return judged !== undefined && survives(judged)
  })
  return {
    ...countMutants(judgedMutants),
    wrong: judgedWrong.length,
    wrongCaught: judgedWrong.filter((judged) => !survives(judged)).length,
    madeFrom: digestSources(task),
    heldOut: judges.heldOut ? digestHeldOut(task) : null,
    survivors: survivors.map(({ files: _, ...survivor }) => survivor),
  }
}

/** The verdicts in the order of the candidates, whichever comes first. */
async function judgeAll(
  candidates: readonly { files: readonly SourceText[] }[],
  judges: Judges,
  concurrency: number,
): Promise<Judged[]> {
  const judged: Judged[] = []
  const queue = [...candidates.entries()]
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [place, { files }] = next
      judged[place] = await judgeOne(files, judges)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return judged
}

/** The scenario is asked about caught mutants, too: its own share is published. */
async function judgeOne(files: readonly SourceText[], judges: Judges): Promise<Judged> {
  const visible = await judges.visible(files)
  if (visible === 'not-compiled' || !judges.heldOut) return { visible, heldOut: null }
  return { visible, heldOut: await judges.heldOut(files) }
}
